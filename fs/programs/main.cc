// scidfs SOURCE MOUNTPOINT [-o OPTIONS]: mounts Scid databases as PGN files.
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"
#include "fs/base/thread.h"
#include "fs/check/check.h"
#include "fs/file/folder.h"
#include "fs/file/kept_sizes_file.h"
#include "fs/library/library.h"
#include "fs/library/live_reload.h"
#include "fs/mount/advice.h"
#include "fs/mount/background.h"
#include "fs/mount/guardian.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/mountpoint.h"
#include "fs/mount/options.h"
#include "fs/mount/real_paths.h"
#include "fs/mount/service_manager.h"
#include "fs/mount/session.h"
#include "fs/programs/manual.h"
#include "fs/programs/mount_command.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"
#include "fs/reference/data_files.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/sandbox.h"
#include "fs/tree/request_counters.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kName = "scidfs";
constexpr std::string_view kSizing = "sizing games";
// Until the mount is ready.
constexpr std::size_t kMostWarnings = 10;

// Each database keeps two files open: a folder of many needs all that this process may open.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Keeps later files from becoming standard input, output or error output.
void keep_standard_descriptors() {
  int null = 0;
  do {
    null = ::open("/dev/null", O_RDWR);
  } while (null >= 0 && null <= STDERR_FILENO);
  if (null >= 0) ::close(null);
}

// Makes malloc return large blocks to the system when they are freed. Without a fixed limit, malloc
// keeps them from the second time on, up to 32 MiB each: a table of a million players would hold
// its memory permanently.
void give_memory_back() {
  constexpr int kLarge = 1 << 20;     // bytes
  mallopt(M_MMAP_THRESHOLD, kLarge);  // NOLINT(concurrency-mt-unsafe): there is one thread yet
}

// Returns the paths that the daemon opens after the sandbox is locked.
OpenPaths paths_of_mount(const MountOptions& options) {
  OpenPaths paths;
  add_source(options.source, options.library.follow_links, paths);
  if (!options.library.database.cache_folder.empty()) {
    // The functions that write there report if it does not exist.
    make_folders(options.library.database.cache_folder).IgnoreError();
    paths.write.push_back(options.library.database.cache_folder);
  }
  return paths;
}

// Computes the sizes of all games on another thread. Returns when they are known, or as soon as it
// is clear that this takes longer than a user should wait.
void begin_sizes(Library& library, std::function<void(std::uint64_t, std::uint64_t)> progress,
                 std::function<void()> end) {
  constexpr std::chrono::milliseconds kSoon{1000};
  constexpr std::chrono::milliseconds kLook{100};
  struct State {
    std::promise<void> known;
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> total = 0;
  };
  const auto state = std::make_shared<State>();
  const std::future<void> all = state->known.get_future();
  library.build_sizes_in_background(
      [state, progress = std::move(progress)](std::uint64_t done, std::uint64_t total) {
        state->total = total;
        state->done = done;
        progress(done, total);
      },
      [state, end = std::move(end)] {
        end();
        state->known.set_value();
      });
  if (all.wait_for(kLook) == std::future_status::ready) return;
  // Half the speed suffices, since the first tenth may be slow by chance. If no size is known yet,
  // no processor was free.
  const std::uint64_t at_least = state->total / (2 * (kSoon / kLook));
  const std::uint64_t done = state->done;
  const bool may_be_soon = done == 0 || done >= at_least;
  if (may_be_soon && all.wait_for(kSoon - kLook) == std::future_status::ready) return;
  log_info(
      "finding the sizes of all games, once; files opened now are measured on demand; status.txt "
      "in "
      "the mount shows the progress");
}

// Ends the process after a grace period, even if threads wait for a server that hangs. The mount is
// gone: this loses only work that no user has asked for.
void leave_soon(ExitCode code) {
  static constexpr std::chrono::milliseconds kGrace{1000};
  start_thread("last resort", [code] {
    std::this_thread::sleep_for(kGrace);
    log_warning("The source does not answer: exiting without waiting");
    ::_exit(static_cast<int>(code));
  }).detach();
}

// Mounts, and returns when the mount is gone. The process forks first and releases the terminal
// last: all failures in between become messages and exit codes.
absl::Status serve(MountOptions options) {
  keep_standard_descriptors();
  ServiceManager manager;
  give_memory_back();
  // Before any access to a server that may hang, so that the user who waits can cancel.
  std::optional<Background> background;
  if (!options.foreground) {
    absl::StatusOr<Background> entered = Background::enter();
    if (!entered.ok()) return entered.status();
    background.emplace(*std::move(entered));
  }
  absl::Status prepared = resolve_paths(options);
  if (prepared.ok()) prepared = check_source(options.source);
  if (prepared.ok()) prepared = prepare_mountpoint(options);
  if (!prepared.ok()) return prepared;
  warn_if_nothing_to_show(options.source, options.library.follow_links);

  // From here on there are two processes: one that may mount, and one that reads databases and may
  // do little else.
  absl::StatusOr<std::unique_ptr<Guardian>> guardian = Guardian::start(options);
  if (!guardian.ok()) return guardian.status();
  if (options.run_as) {
    if (absl::Status status = become(*options.run_as); !status.ok()) return status;
    if (background) background->end_with_parent();
  }
  absl::StatusOr<DataFiles> data_files = DataFiles::open(options.data_files);
  if (!data_files.ok()) return data_files.status();
  MemoryLimit memory;
  if (absl::Status status =
          lock_the_door({.mode = options.sandbox, .paths = paths_of_mount(options)});
      !status.ok()) {
    return status;
  }
  remove_abandoned_sizes(options.library.database.cache_folder);
  options.library.mountpoint = options.mountpoint;
  options.library.database.reference = data_files->load(options.library.database.cache_folder);
  std::optional<WarningLimiter> few(std::in_place, kMostWarnings, "info.txt in the mount");
  absl::StatusOr<std::unique_ptr<Library>> library = Library::open(options.source, options.library);
  if (!library.ok()) return library.status();
  const std::string showing =
      fmt::format("showing {} at {}", options.source.string(), options.mountpoint.string());
  const auto tell = [&manager](std::uint64_t done, std::uint64_t total) {
    manager.progress(kSizing, done, total);
  };
  // Costs a tenth of a microsecond a game, and spares the first user of a player's directory the
  // wait. Before the sizes, whose threads would take its processors.
  (*library)->warm_up();
  if (options.library.index == IndexMode::Wait) {
    ProgressBar bar(kSizing);
    (*library)->build_sizes([&](std::uint64_t done, std::uint64_t total) {
      bar.update(done, total);
      tell(done, total);
    });
  } else if (options.library.index == IndexMode::Auto) {
    begin_sizes(**library, tell, [&manager, showing] { manager.status(showing); });
  }

  RequestCounters counters;
  Tree tree(**library,
            {.blocks = {.cache_bytes = options.cache_bytes, .threads = options.library.threads},
             .requests = &counters});
  absl::StatusOr<std::unique_ptr<Session>> session =
      Session::mount(options, **guardian, tree, counters, memory);
  if (!session.ok()) return session.status();
  manager.status(showing);
  if (options.library.index == IndexMode::Background) {
    (*library)->build_sizes_in_background(tell, [&manager, showing] { manager.status(showing); });
  }
  LiveReload reload(**library, {.doubted =
                                    [&](const std::vector<PendingChanges::ChangeEvent>& signs) {
                                      (*session)->forget_names();
                                      (*session)->forget(tree.doubtful(signs));
                                    },
                                .changed =
                                    [&] {
                                      const std::vector<Inode> renewed = tree.renew();
                                      (*session)->forget_names();
                                      (*session)->forget(renewed);
                                    }});
  few.reset();
  if (background) background->outlive_parent();
  absl::Status status = (*session)->run([&] {
    if (background) background->ready();
    manager.ready();
  });
  manager.stopping();
  // Unmount before waiting for work that is being cancelled: no user needs it.
  reload.stop();
  (*session)->unmount();
  if ((*library)->has_remote()) leave_soon(status.ok() ? ExitCode::Good : ExitCode::Failed);
  return status;
}

// Returns a folder for nameless files that no other user may enter. Empty if there is none.
std::filesystem::path temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path(error) / fmt::format("scidfs-{}", ::geteuid());
  if (error) return {};
  constexpr mode_t kOwner = 0700;
  constexpr mode_t kOthers = 0077;
  // The folder stays: a program in the sandbox cannot remove it, and the next one needs it.
  ::mkdir(folder.c_str(), kOwner);
  struct stat status {};
  const bool is_ours = ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                       status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0;
  return is_ours ? folder : std::filesystem::path();
}

ExitCode check_all(const CommandLine& command) {
  raise_file_limit();
  const absl::StatusOr<std::filesystem::path> source = locate(command.mount.source);
  if (!source.ok()) return failed(source.status(), ExitCode::Unreadable);
  CheckOptions options{.threads = command.mount.library.threads,
                       .unpack_folder = temporary_folder()};
  if (absl::Status status = check_source(*source); !status.ok()) {
    return failed(status, ExitCode::Unreadable);
  }
  SandboxOptions sandbox{.mode = command.mount.sandbox};
  add_source(*source, false, sandbox.paths);
  if (!options.unpack_folder.empty()) sandbox.paths.write.push_back(options.unpack_folder);
  if (absl::Status status = lock_the_door(sandbox); !status.ok()) return failed(status);
  // The report contains what a mount would log as warnings.
  log_errors_only();
  ProgressBar bar("checking games");
  if (command.verbose) options.most_lines = options.most_notes = SIZE_MAX;
  bool printed = true;
  const Health health = check(
      *source, options,
      [&](std::string_view text) {
        bar.clear();
        printed &= std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
      },
      [&bar](std::uint64_t done, std::uint64_t total) { bar.update(done, total); });
  if (std::fflush(stdout) != 0 || !printed) {
    log_error("Cannot write the report");
    return ExitCode::Failed;
  }
  switch (health) {
    case Health::Good:
      return ExitCode::Good;
    case Health::Damaged:
      return ExitCode::Damaged;
    case Health::Unreadable:
      break;
  }
  return ExitCode::Unreadable;
}

ExitCode run(std::string_view called_as, std::span<const char* const> arguments) {
  const absl::StatusOr<CommandLine> command =
      is_mount_helper(called_as) ? parse_helper_line(arguments) : parse_command_line(arguments);
  if (!command.ok()) return wrong_command_line(kName, command.status());
  switch (command->action) {
    case CommandLine::Action::Help:
      fmt::print("{}", help_text(mount_manual()));
      return ExitCode::Good;
    case CommandLine::Action::Version:
      fmt::print("{}", version_text(kName));
      return ExitCode::Good;
    case CommandLine::Action::Check:
      return check_all(*command);
    case CommandLine::Action::Pretend:
      return ExitCode::Good;
    case CommandLine::Action::Mount:
      break;
  }
  raise_file_limit();
  const absl::Status status = serve(command->mount);
  return status.ok() ? ExitCode::Good : failed(status);
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  const char* const called_as = argc > 0 ? argv[0] : "";
  return scidfs::fs::run_program(scidfs::fs::kName, argc, argv,
                                 [called_as](std::span<const char* const> arguments) {
                                   return scidfs::fs::run(called_as, arguments);
                                 });
}
