// scidfs-pack: puts databases into an archive that Scidb reads.
#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <string_view>

#include "fs/base/status_macros.h"
#include "fs/file/file_maker.h"
#include "fs/file/folder.h"
#include "fs/file/new_access.h"
#include "fs/programs/ending_signals.h"
#include "fs/programs/manual.h"
#include "fs/programs/pack_command.h"
#include "fs/programs/program.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kName = "scidfs-pack";

// Starts the maker of new files and locks the sandbox, since databases may come from untrusted
// sources.
absl::Status lock_in(const PackCommand& command, FileMaker& maker) {
  const std::filesystem::path& archive = command.options.archive;
  if (command.sandbox != SandboxMode::Off) {
    RETURN_IF_ERROR(maker.start(folder_of(archive), [&archive](std::string_view name) {
      return name == archive.filename().native();
    }));
  }
  SandboxOptions options{.mode = command.sandbox, .writes_files = true};
  for (const std::filesystem::path& database : command.options.databases) {
    add_named(database, options.paths);
  }
  add_result(archive, options.paths);
  return lock_the_door(options);
}

ExitCode run(std::span<const char* const> arguments) {
  const absl::StatusOr<PackCommand> command = parse_pack_command(arguments);
  if (!command.ok()) return wrong_command_line(kName, command.status());
  switch (command->action) {
    case PackCommand::Action::Help:
      fmt::print("{}", help_text(kPackManual));
      return ExitCode::Good;
    case PackCommand::Action::Version:
      fmt::print("{}", version_text(kName));
      return ExitCode::Good;
    case PackCommand::Action::Pack:
      break;
  }
  const EndingSignals signals;
  FileMaker maker(NewAccess::of_result(command->options.databases));
  absl::Status status = lock_in(*command, maker);
  if (!status.ok()) return failed(status);
  signals.watch();
  PackOptions options = command->options;
  options.maker = &maker;
  status = pack(options);
  return status.ok() ? ExitCode::Good : failed(status);
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(scidfs::fs::kName, argc, argv, scidfs::fs::run);
}
