// scidfs-pack DATABASE... -o ARCHIVE: packs databases for Scidb.
#include <fmt/format.h>

#include <span>
#include <string>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"
#include "fs/build/pack.h"
#include "fs/mount/options.h"
#include "fs/programs/program.h"

namespace scidfs::fs {
namespace {

ExitCode run(std::span<const char* const> arguments) {
  const absl::StatusOr<PackCommand> command = parse_pack_command(arguments);
  if (!command.ok()) {
    log_error(fmt::format("{} (see scidfs-pack --help)", std::string(command.status().message())));
    return ExitCode::Usage;
  }
  switch (command->action) {
    case PackCommand::Action::Help:
      fmt::print("{}", pack_help_text());
      return ExitCode::Good;
    case PackCommand::Action::Version:
      fmt::print("{}", version_text());
      return ExitCode::Good;
    case PackCommand::Action::Pack:
      break;
  }
  if (const absl::Status status = pack(command->options); !status.ok()) {
    log_error(std::string(status.message()));
    return ExitCode::Failed;
  }
  return ExitCode::Good;
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(argc, argv, scidfs::fs::run, scidfs::fs::ExitCode::Failed);
}
