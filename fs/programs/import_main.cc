// scidfs-import: writes games to a new Scid database.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/file_maker.h"
#include "fs/file/folder.h"
#include "fs/file/new_access.h"
#include "fs/import/import.h"
#include "fs/import/new_database.h"
#include "fs/programs/ending_signals.h"
#include "fs/programs/import_command.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kName = "scidfs-import";

// Starts the maker of new files and locks the sandbox, since sources may come from anywhere.
absl::Status lock_in(const ImportCommand& command, FileMaker& maker) {
  const std::filesystem::path& database = command.options.database;
  if (command.sandbox != SandboxMode::Off) {
    RETURN_IF_ERROR(maker.start(folder_of(database), [&database](std::string_view name) {
      return is_file_of_database(database, name);
    }));
  }
  SandboxOptions options{.mode = command.sandbox, .writes_files = true};
  for (const std::filesystem::path& source : command.options.sources) {
    add_named(source, options.paths);
  }
  if (command.options.is_append) add_named(database, options.paths);
  add_result(database, options.paths);
  return lock_the_door(options);
}

ExitCode import(const ImportOptions& options) {
  constexpr std::uint64_t kMostRemarks = 1000;
  std::uint64_t remarks = 0;
  absl::StatusOr<ImportReport> report;
  {
    ProgressBar bar("importing games");
    report = import_games(
        options, [&bar](std::uint64_t done, std::uint64_t total) { bar.update(done, total); },
        [&](std::string_view text) {
          if (++remarks > kMostRemarks) return;
          bar.clear();
          log_warning(printable(text));
        });
  }
  if (!report.ok()) return failed(report.status());
  if (remarks > kMostRemarks) log_warning(fmt::format("and {} more", remarks - kMostRemarks));
  fmt::print("{} games{}\n", report->games, options.is_append ? " more" : "");
  return remarks == 0 ? ExitCode::Good : ExitCode::Damaged;
}

ExitCode run(std::span<const char* const> arguments) {
  const absl::StatusOr<ImportCommand> command = parse_import_command(arguments);
  if (!command.ok()) return wrong_command_line(kName, command.status());
  switch (command->action) {
    case ImportCommand::Action::Help:
      fmt::print("{}", help_text(kImportManual));
      return ExitCode::Good;
    case ImportCommand::Action::Version:
      fmt::print("{}", version_text(kName));
      return ExitCode::Good;
    case ImportCommand::Action::Import:
      break;
  }
  const EndingSignals signals;
  FileMaker maker(NewAccess::of_result(command->options.sources));
  if (const absl::Status status = lock_in(*command, maker); !status.ok()) return failed(status);
  signals.watch();
  ImportOptions options = command->options;
  options.maker = &maker;
  return import(options);
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(scidfs::fs::kName, argc, argv, scidfs::fs::run);
}
