#include "fs/programs/program.h"

#include <fmt/format.h>

#include <csignal>
#include <cstddef>
#include <exception>

#include "fs/base/log.h"

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

std::string version_text(std::string_view name) {
  return fmt::format("{} {}\n", name, SCIDFS_VERSION);
}

ExitCode wrong_command_line(std::string_view name, const absl::Status& error) {
  log_error(fmt::format("{} (see {} --help)", std::string(error.message()), name));
  return ExitCode::Usage;
}

ExitCode failed(const absl::Status& error, ExitCode code) {
  log_error(std::string(error.message()));
  return code;
}

}  // namespace scidfs::fs
