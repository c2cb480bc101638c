// scidfs SOURCE MOUNTPOINT [-o OPTIONS]: mounts Scid databases as PGN files.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"
#include "fs/base/shell_word.h"
#include "fs/base/status_macros.h"
#include "fs/base/thread.h"
#include "fs/check/check.h"
#include "fs/library/library.h"
#include "fs/library/live_reload.h"
#include "fs/mount/background.h"
#include "fs/mount/guardian.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/mount_place.h"
#include "fs/mount/mount_table.h"
#include "fs/mount/mountpoint.h"
#include "fs/mount/own_place.h"
#include "fs/mount/request_counters.h"
#include "fs/mount/service_manager.h"
#include "fs/mount/session.h"
#include "fs/options/advice.h"
#include "fs/options/mount_options.h"
#include "fs/options/real_paths.h"
#include "fs/programs/command_words.h"
#include "fs/programs/first_page.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/mount_command.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"
#include "fs/programs/source_process.h"
#include "fs/reference/data_files.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/sandbox.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kSizing = "sizing games";
// Until the mount is ready.
constexpr std::size_t kMostWarnings = 10;

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
  // or few are missing, no processor was free.
  constexpr std::uint64_t kFew = 20'000;
  const std::uint64_t total = state->total;
  const std::uint64_t at_least = total / (2 * (kSoon / kLook));
  const std::uint64_t done = state->done;
  const bool may_be_soon = done == 0 || done >= at_least || total - done <= kFew;
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

// A mount from its start to its end, in steps, each of which needs those before it. The destructor
// undoes them in reverse order, also when one has failed.
class MountProcess {
 public:
  explicit MountProcess(MountOptions options) : options_(std::move(options)) {}

  // Mounts, and returns when the mount is gone. The process forks first and releases the terminal
  // last: all failures in between become messages and exit codes.
  absl::Status run() {
    absl::Status status = enter_background();
    if (status.ok()) status = check_paths();
    if (status.ok()) status = start_guardian();
    if (status.ok()) status = give_up_rights();
    if (status.ok()) status = open_library();
    if (status.ok()) find_sizes();
    if (status.ok()) status = mount();
    if (status.ok()) status = serve();
    return status;
  }

 private:
  // Before any access to a server that may hang, so that the user who waits can cancel.
  absl::Status enter_background() {
    if (options_.foreground) return absl::OkStatus();
    ASSIGN_OR_RETURN(Background entered, Background::enter());
    background_.emplace(std::move(entered));
    return absl::OkStatus();
  }

  absl::Status check_paths() {
    std::filesystem::path shown;
    absl::Status status = as_user([&]() -> absl::Status {
      ASSIGN_OR_RETURN(const std::filesystem::path resolved, resolve_source(options_));
      shown = resolved;
      return check_source(options_.source);
    });
    if (!status.ok()) return status;
    is_own_place_ = options_.mountpoint.empty();
    if (is_own_place_) {
      ASSIGN_OR_RETURN(own_place_lock_, lock_own_place(options_.source));
    }
    ASSIGN_OR_RETURN(MountPlace place, prepare_mountpoint(options_, shown));
    options_.mountpoint = place.path();
    place_.emplace(std::move(place));
    return as_user([&]() -> absl::Status {
      warn_if_nothing_to_show(options_.source, options_.library.follow_links);
      return absl::OkStatus();
    });
  }

  // The source is examined with the rights of the user who will read it.
  absl::Status as_user(const std::function<absl::Status()>& work) {
    return options_.run_as ? act_as(*options_.run_as, work) : work();
  }

  // From here on there are two processes: one that may mount, and one that reads databases and may
  // do little else.
  absl::Status start_guardian() {
    absl::StatusOr<std::unique_ptr<Guardian>> guardian =
        Guardian::start(options_, *std::move(place_));
    place_.reset();
    if (!guardian.ok()) return guardian.status();
    guardian_ = *std::move(guardian);
    if (!options_.run_as) return absl::OkStatus();
    absl::Status status = become(*options_.run_as);
    if (status.ok() && background_) background_->end_with_parent();
    return status;
  }

  // Opens the files that the sandbox would refuse later.
  absl::Status give_up_rights() {
    ASSIGN_OR_RETURN(DataFiles data_files, DataFiles::open(options_.data_files));
    data_files_ = std::move(data_files);
    memory_.emplace();
    return lock_the_door({.mode = options_.sandbox, .paths = paths_of_source(options_)});
  }

  absl::Status open_library() {
    few_warnings_.emplace(kMostWarnings, "info.txt in the mount");
    ASSIGN_OR_RETURN(std::unique_ptr<Library> library, open_source(options_, data_files_));
    library_ = std::move(library);
    return absl::OkStatus();
  }

  void find_sizes() {
    // Costs a tenth of a microsecond a game, and spares the first user of a player's directory the
    // wait. Before the sizes, whose threads would take its processors.
    library_->warm_up();
    if (options_.library.index == IndexMode::Wait) {
      ProgressBar bar(kSizing);
      library_->build_sizes([&](std::uint64_t done, std::uint64_t total) {
        bar.update(done, total);
        manager_.progress(kSizing, done, total);
      });
    } else if (options_.library.index == IndexMode::Auto) {
      begin_sizes(*library_, progress(), [this] { tell_showing(); });
    }
  }

  absl::Status mount() {
    tree_.emplace(*library_, Tree::Options{.blocks = {.cache_bytes = options_.cache_bytes,
                                                      .threads = options_.library.threads},
                                           .more_status = [this] { return counters_.text(); }});
    ASSIGN_OR_RETURN(std::unique_ptr<Session> session,
                     Session::mount(options_, *guardian_, *tree_, counters_, *memory_));
    session_ = std::move(session);
    own_place_lock_ = Descriptor();
    tell_showing();
    if (options_.library.index == IndexMode::Background) {
      library_->build_sizes_in_background(progress(), [this] { tell_showing(); });
    }
    return absl::OkStatus();
  }

  absl::Status serve() {
    LiveReload reload(*library_,
                      {.doubted =
                           [this](const std::vector<PendingChanges::ChangeEvent>& signs) {
                             session_->forget_names();
                             session_->forget(tree_->doubtful(signs));
                           },
                       .changed =
                           [this] {
                             const std::vector<Inode> renewed = tree_->renew();
                             session_->forget_names();
                             session_->forget(renewed);
                           }});
    few_warnings_.reset();
    if (is_own_place_) explain();
    if (background_) background_->outlive_parent();
    absl::Status status = session_->run([this] {
      if (background_) background_->ready();
      manager_.ready();
    });
    manager_.stopping();
    // Unmount before waiting for work that is being cancelled: no user needs it.
    reload.stop();
    session_->unmount();
    if (library_->has_remote()) leave_soon(status.ok() ? ExitCode::Good : ExitCode::Failed);
    return status;
  }

  // Tells the user where the source is shown, and what to try, with names of what is there.
  void explain() const {
    const std::string place = shell_word(options_.mountpoint.string());
    log_info(fmt::format("{} is shown at {}", options_.source.string(), place));
    const CatalogPtr catalog = library_->catalog();
    const auto first = std::ranges::find_if(
        catalog->all(), [](const MountedVersionPtr& shown) { return shown->database != nullptr; });
    log_info(fmt::format("try: less {}/info.txt", place));
    if (first != catalog->all().end()) {
      const bool is_root = (*first)->slot == catalog->root();
      const std::string database =
          is_root ? place : shell_word((options_.mountpoint / (*first)->path).string());
      log_info(fmt::format("     cat {}/tree/e4/moves.txt", database));
      log_info(fmt::format("     ls {}/players", database));
    }
    log_info(fmt::format("end: scidfs -u {}", shell_word(options_.source.string())));
  }

  std::function<void(std::uint64_t, std::uint64_t)> progress() {
    return [this](std::uint64_t done, std::uint64_t total) {
      manager_.progress(kSizing, done, total);
    };
  }
  void tell_showing() const {
    manager_.status(
        fmt::format("showing {} at {}", options_.source.string(), options_.mountpoint.string()));
  }

  MountOptions options_;
  ServiceManager manager_;
  std::optional<MountPlace> place_;       // until the guardian has it
  bool is_own_place_ = false;             // the user has named no mount point
  Descriptor own_place_lock_;             // until it is mounted, or the guardian has ended
  std::optional<Background> background_;  // empty: in the foreground
  std::unique_ptr<Guardian> guardian_;
  DataFiles data_files_;
  std::optional<MemoryLimit> memory_;
  std::optional<WarningLimiter> few_warnings_;  // until the mount is ready
  std::unique_ptr<Library> library_;
  RequestCounters counters_;
  std::optional<Tree> tree_;
  std::unique_ptr<Session> session_;
};

ExitCode check_all(const CommandLine& command) {
  raise_file_limit();
  const absl::StatusOr<std::filesystem::path> source = locate(command.mount.source);
  if (!source.ok()) return failed(source.status(), ExitCode::Unreadable);
  CheckOptions options{.threads = command.mount.library.threads,
                       .unpack_folder = temporary_folder()};
  if (absl::Status status = check_source(*source); !status.ok()) {
    return failed(status, ExitCode::Unreadable);
  }
  SandboxOptions sandbox{.mode = command.mount.sandbox, .only_reads = true};
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

ExitCode unmount(const std::filesystem::path& given) {
  // What is mounted may be dead, and its source gone: names alone are compared then.
  const absl::StatusOr<std::filesystem::path> located = locate(given);
  const absl::Status status =
      unmount_shown(located.value_or(given), [](const ShownMount& unmounted) {
        log_info(fmt::format("unmounted {}", unmounted.mountpoint.string()));
      });
  return status.ok() ? ExitCode::Good : failed(status);
}

// For users who do not know how to begin; programs get an error.
ExitCode explain_scidfs() {
  if (::isatty(STDOUT_FILENO) == 0) {
    return answer(mount_manual(), absl::InvalidArgumentError("SOURCE is missing"));
  }
  const char* const variable = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set
  const std::filesystem::path home = variable != nullptr ? variable : "";
  return print(first_page(find_chess_folders(usual_places(home)), home));
}

ExitCode run(const CommandLine& command) {
  if (command.action == CommandLine::Action::Pretend) return ExitCode::Good;
  if (command.action == CommandLine::Action::Check) return check_all(command);
  if (command.action == CommandLine::Action::Unmount) return unmount(command.mount.source);
  if (command.action == CommandLine::Action::Explain) return explain_scidfs();
  prepare_process();
  const absl::Status status = MountProcess(command.mount).run();
  return status.ok() ? ExitCode::Good : failed(status);
}

}  // namespace

int mount_main(int argc, char** argv) {
  const bool is_helper = argc > 0 && is_mount_helper(argv[0]);
  if (is_helper) return run_program(mount_manual(), argc, argv, parse_helper_line, run);
  return run_program(mount_manual().name, argc, argv, [](std::span<const char* const> arguments) {
    std::vector<const char*> words;
    if (const std::optional<ExitCode> code = follow_command(arguments, words)) return *code;
    return obey(mount_manual(), words, parse_command_line, run);
  });
}

}  // namespace scidfs::fs
