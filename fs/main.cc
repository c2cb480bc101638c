// scidfs SOURCE MOUNTPOINT [-o OPTIONS]: mounts Scid databases as PGN files.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fs/background.h"
#include "fs/library.h"
#include "fs/live_reload.h"
#include "fs/log.h"
#include "fs/mountpoint.h"
#include "fs/options.h"
#include "fs/progress_bar.h"
#include "fs/request_counters.h"
#include "fs/session.h"
#include "fs/tree.h"

namespace scidfs::fs {
namespace {

// Returns when the mount is gone. The process splits first and lets the terminal go last: whatever
// fails in between is a message and an exit code.
absl::Status serve(const MountOptions& options) {
  if (absl::Status status = prepare_mountpoint(options.mountpoint, options.source); !status.ok()) {
    return status;
  }
  std::optional<Background> background;
  if (!options.foreground) {
    absl::StatusOr<Background> entered = Background::enter();
    if (!entered.ok()) return entered.status();
    background.emplace(*std::move(entered));
  }

  absl::StatusOr<std::unique_ptr<Library>> library = Library::open(options.source, options.library);
  if (!library.ok()) return library.status();
  if (options.library.index == IndexMode::Wait) {
    ProgressBar bar;
    (*library)->build_sizes(
        [&bar](std::uint64_t done, std::uint64_t total) { bar.update(done, total); });
  }

  RequestCounters counters;
  Tree tree(**library,
            {.blocks = {.cache_bytes = options.cache_bytes, .threads = options.library.threads},
             .requests = &counters});
  absl::StatusOr<std::unique_ptr<Session>> session = Session::mount(options, tree, counters);
  if (!session.ok()) return session.status();
  (*library)->start_background();
  const LiveReload reload(**library, [&] {
    tree.forget_gone();
    (*session)->forget(tree.inodes_to_renew());
  });
  if (background) background->outlive_parent();
  return (*session)->run([&background] {
    if (background) background->ready();
  });
}

ExitCode run(std::span<const char* const> arguments) {
  const absl::StatusOr<CommandLine> command = parse_command_line(arguments);
  if (!command.ok()) {
    log_error(fmt::format("{} (see scidfs --help)", std::string(command.status().message())));
    return ExitCode::Usage;
  }
  switch (command->action) {
    case CommandLine::Action::Help:
      fmt::print("{}", help_text());
      return ExitCode::Ok;
    case CommandLine::Action::Version:
      fmt::print("{}", version_text());
      return ExitCode::Ok;
    case CommandLine::Action::Mount:
      break;
  }
  for (const std::string& warning : command->mount.warnings) log_warning(warning);
  if (const absl::Status status = serve(command->mount); !status.ok()) {
    log_error(std::string(status.message()));
    return ExitCode::Failure;
  }
  return ExitCode::Ok;
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  using scidfs::fs::ExitCode;
  try {
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    return static_cast<int>(scidfs::fs::run(words.subspan(argc > 0 ? 1 : 0)));
  } catch (const std::exception& error) {
    scidfs::fs::log_error(error.what());
    return static_cast<int>(ExitCode::Failure);
  }
}
