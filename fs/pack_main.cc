// scidfs-pack DATABASE... -o ARCHIVE: packs databases for Scidb.
#include <fmt/format.h>

#include <span>
#include <string>

#include "fs/log.h"
#include "fs/options.h"
#include "fs/pack.h"
#include "fs/program.h"

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
      return ExitCode::Ok;
    case PackCommand::Action::Version:
      fmt::print("{}", version_text());
      return ExitCode::Ok;
    case PackCommand::Action::Pack:
      break;
  }
  if (const absl::Status status = pack(command->options); !status.ok()) {
    log_error(std::string(status.message()));
    return ExitCode::Failure;
  }
  return ExitCode::Ok;
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(argc, argv, scidfs::fs::run, scidfs::fs::ExitCode::Failure);
}
