// scidfs-serve SOURCE: shows by HTTP what a mount would show.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/base/thread.h"
#include "fs/library/library.h"
#include "fs/library/live_reload.h"
#include "fs/options/advice.h"
#include "fs/options/mount_options.h"
#include "fs/options/real_paths.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/serve_command.h"
#include "fs/programs/source_process.h"
#include "fs/reference/data_files.h"
#include "fs/requests/request_runner.h"
#include "fs/sandbox/sandbox.h"
#include "fs/serve/client.h"
#include "fs/serve/http_server.h"
#include "fs/serve/listener.h"
#include "fs/serve/metrics.h"
#include "fs/serve/request_target.h"
#include "fs/serve/site.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {
namespace {

// The signals that end the server, blocked on all threads.
class StopSignal {
 public:
  // REQUIRES: no other thread is running.
  StopSignal() {
    ::sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals_, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
  }
  void wait() const {
    int signal = 0;
    ::sigwait(&signals_, &signal);
  }

 private:
  sigset_t signals_{};
};

// Shows an address in the user's browser, which waits for the answer until the server is ready.
void open_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string address = url;
  const std::array<char*, 3> words = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (::posix_spawnp(&child, program.c_str(), &files, nullptr, words.data(), ::environ) != 0) {
    log_warning("--open: there is no xdg-open");
  }
  ::posix_spawn_file_actions_destroy(&files);
}

// What the words of the command line mean to the server.
struct Place {
  ListenAddress address;
  std::vector<std::string> base;
  std::optional<ClientId> proxy;
};

absl::StatusOr<Place> place_of(const ServeCommand& command) {
  Place place;
  if (!command.listen.empty()) {
    ASSIGN_OR_RETURN(place.address, parse_listen_address(command.listen));
  }
  if (!command.base.empty()) {
    const absl::StatusOr<RequestTarget> base = parse_target(command.base);
    if (!base.ok() || !base->query.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("--base: '{}' is no path that begins with a slash", command.base));
    }
    place.base = base->names;
  }
  if (!command.proxy.empty()) {
    place.proxy = parse_client(command.proxy);
    if (!place.proxy.has_value()) {
      return absl::InvalidArgumentError(fmt::format("--proxy: '{}' is no address", command.proxy));
    }
  }
  return place;
}

class Serve {
 public:
  Serve(const ServeCommand& command, Place place)
      : command_(command), place_(std::move(place)), options_(command.options) {}

  absl::Status run() {
    RETURN_IF_ERROR(resolve_source(options_).status());
    RETURN_IF_ERROR(check_source(options_.source));
    RETURN_IF_ERROR(listen());
    RETURN_IF_ERROR(open());
    Metrics metrics;
    Tree tree(*library_,
              {.blocks = {.cache_bytes = options_.cache_bytes, .threads = options_.library.threads},
               .more_status = [&metrics] { return metrics.status(); }});
    RequestRunner runner(tree, options_.question_bytes);
    std::atomic<const HttpServer*> running = nullptr;
    const Site site(tree, library_->searches().rejected_names,
                    {.base = place_.base,
                     .is_private = listener_.is_loopback && !place_.proxy.has_value(),
                     .metrics = [&] {
                       const HttpServer* const server = running;
                       if (server == nullptr) return std::string();
                       return metrics.text(server->connections(), tree);
                     }});
    LiveReload reload(*library_,
                      {.doubted = [](const auto&) {}, .changed = [&tree] { tree.renew(); }});
    ASSIGN_OR_RETURN(const std::unique_ptr<HttpServer> server,
                     HttpServer::start(std::move(listener_.socket), site, tree, runner, metrics,
                                       {.proxy = place_.proxy}));
    running = server.get();
    prepare_answers();
    signal_.wait();
    reload.stop();
    constexpr std::chrono::seconds kGrace{1};
    server->stop(kGrace);
    return absl::OkStatus();
  }

 private:
  absl::Status listen() {
    ASSIGN_OR_RETURN(listener_, inherited_listener());
    if (!listener_.socket.ok()) {
      ASSIGN_OR_RETURN(listener_, listen_at(place_.address));
    }
    const std::string url = listener_.url + encode_path(place_.base, true);
    // The service manager's log takes lines, too.
    std::printf("%s\n", url.c_str());
    std::fflush(stdout);
    if (!listener_.is_loopback) {
      log_warning("other machines reach this address: it shows them all games");
    }
    if (command_.opens_browser) open_browser(url);
    return absl::OkStatus();
  }

  // Opens the source as a mount does, in the sandbox.
  absl::Status open() {
    warn_if_nothing_to_show(options_.source, options_.library.follow_links);
    ASSIGN_OR_RETURN(DataFiles data_files, DataFiles::open(options_.data_files));
    RETURN_IF_ERROR(lock_the_door({.mode = options_.sandbox,
                                   .paths = paths_of_source(options_),
                                   .serves = true,
                                   .keeps_cache = true}));
    ASSIGN_OR_RETURN(library_, open_source(options_, data_files));
    library_->warm_up();
    if (options_.library.index == IndexMode::Wait) library_->build_sizes(ignore_progress);
    return absl::OkStatus();
  }

  // Finds the sizes of all games, which other answers then need not, and checks index files.
  void prepare_answers() {
    if (options_.library.index == IndexMode::None) return;
    library_->build_sizes_in_background(ignore_progress, [this] {
      let_others_go_first();
      library_->check_stored_ahead();
    });
  }
  static void ignore_progress(std::uint64_t /*done*/, std::uint64_t /*total*/) {}

  const ServeCommand& command_;
  const Place place_;
  MountOptions options_;
  const StopSignal signal_;
  Listener listener_;
  std::unique_ptr<Library> library_;
};

ExitCode run(const ServeCommand& command) {
  absl::StatusOr<Place> place = place_of(command);
  if (!place.ok()) return answer(serve_manual(), place.status());
  prepare_process();
  const absl::Status status = Serve(command, *std::move(place)).run();
  return status.ok() ? ExitCode::Good : failed(status);
}

}  // namespace

int serve_main(int argc, char** argv) {
  return run_program(serve_manual(), argc, argv, parse_serve_command, run);
}

}  // namespace scidfs::fs
