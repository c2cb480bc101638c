// Writes the completion scripts that are installed: scidfs-completions SHELL PROGRAM. Runs during
// the build; is not installed.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "fs/base/log.h"
#include "fs/programs/completions.h"
#include "fs/programs/program.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kName = "scidfs-completions";

ExitCode run(std::span<const char* const> arguments) {
  constexpr std::size_t kShellAndProgram = 2;
  if (arguments.size() == kShellAndProgram) {
    const std::string_view shell = arguments[0];
    for (const Manual* const manual : std::array{&mount_manual(), &kBookManual, &kPackManual}) {
      if (manual->name != arguments[1]) continue;
      const auto make = shell == "bash"   ? bash_completion
                        : shell == "zsh"  ? zsh_completion
                        : shell == "fish" ? fish_completion
                                          : nullptr;
      if (make == nullptr) break;
      fmt::print("{}", make(*manual));
      return ExitCode::Good;
    }
  }
  log_error("usage: scidfs-completions bash|zsh|fish scidfs|scidfs-book|scidfs-pack");
  return ExitCode::Usage;
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(scidfs::fs::kName, argc, argv, scidfs::fs::run);
}
