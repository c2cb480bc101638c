// scidfs-import: writes games to a new Scid database.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "fs/base/log.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_access.h"
#include "fs/import/import.h"
#include "fs/import/new_database.h"
#include "fs/programs/file_command.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"

namespace scidfs::fs {
namespace {

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

ExitCode run(const ImportCommand& command) {
  std::vector<std::filesystem::path> read = command.paths;
  if (command.options.is_append) read.push_back(command.result);
  return make_files(command, read, NewAccess::of_result(command.paths), is_file_of_database,
                    [&command](const FileMaker& maker) {
                      ImportOptions options = command.options;
                      options.sources = command.paths;
                      options.database = command.result;
                      options.maker = &maker;
                      return import(options);
                    });
}

}  // namespace

int import_main(int argc, char** argv) {
  return run_program(import_manual(), argc, argv, parse_import_command, run);
}

}  // namespace scidfs::fs
