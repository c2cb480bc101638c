#include "fs/programs/program.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/file/folder.h"
#include "fs/programs/ending_signals.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

int run_program(std::string_view name, int argc, char** argv,
                absl::FunctionRef<ExitCode(std::span<const char* const>)> run) {
  ExitCode code = ExitCode::Failed;
  try {
    log_as(name);
    // Writing beyond `ulimit -f` then fails with EFBIG, like writing to a full disk.
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGXFSZ, &action, nullptr);
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    code = run(words.subspan(argc > 0 ? 1 : 0));
  } catch (const std::exception& error) {
    log_error(fmt::format("Fatal: {}", error.what()));
  }
  return static_cast<int>(code);
}

ExitCode print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return ExitCode::Good;
  log_error("Cannot write standard output: " + std::generic_category().message(errno));
  return ExitCode::Failed;
}

ExitCode answer(const Manual& manual, const absl::StatusOr<Asked>& asked) {
  if (!asked.ok()) {
    log_error(
        fmt::format("{} (see {} --help)", std::string(asked.status().message()), manual.name));
    return ExitCode::Usage;
  }
  const std::string text = *asked == Asked::Help
                               ? help_text(manual)
                               : fmt::format("{} {}\n", manual.name, SCIDFS_VERSION);
  return print(text);
}

ExitCode make_files(const FileCommand& command, std::span<const std::filesystem::path> read,
                    NewAccess access,
                    bool (*is_of_result)(const std::filesystem::path& result,
                                         std::string_view name),
                    absl::FunctionRef<ExitCode(const FileMaker& maker)> work) {
  const EndingSignals signals;
  FileMaker maker(std::move(access));
  SandboxOptions sandbox{.mode = command.sandbox, .writes_files = true};
  for (const std::filesystem::path& path : read) add_named(path, sandbox.paths);
  add_result(command.result, sandbox.paths);
  absl::Status status;
  if (command.sandbox != SandboxMode::Off) {
    status = maker.start(folder_of(command.result),
                         [&](std::string_view name) { return is_of_result(command.result, name); });
  }
  if (status.ok()) status = lock_the_door(sandbox);
  if (!status.ok()) return failed(status);
  signals.watch();
  return work(maker);
}

ExitCode failed(const absl::Status& error, ExitCode code) {
  log_error(std::string(error.message()));
  return code;
}

}  // namespace scidfs::fs
