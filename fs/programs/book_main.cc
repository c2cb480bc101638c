// scidfs-book: reads and builds Kvetka opening books.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/book/book.h"
#include "fs/build/book_build.h"
#include "fs/build/book_dump.h"
#include "fs/build/book_write.h"
#include "fs/file/file_maker.h"
#include "fs/file/folder.h"
#include "fs/file/new_access.h"
#include "fs/programs/book_command.h"
#include "fs/programs/ending_signals.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kName = "scidfs-book";

// Locks the sandbox, since books and databases may come from untrusted sources.
absl::Status lock_in_to_dump(const BookCommand& command) {
  SandboxOptions options{.mode = command.sandbox, .only_reads = true};
  add_named(command.book, options.paths);
  return lock_the_door(options);
}

// Starts the maker of new files before that.
absl::Status lock_in_to_build(const BookCommand& command, FileMaker& maker) {
  const std::filesystem::path& book = command.build.book;
  if (command.sandbox != SandboxMode::Off) {
    RETURN_IF_ERROR(maker.start(
        folder_of(book), [&book](std::string_view name) { return is_file_of_book(book, name); }));
  }
  SandboxOptions options{.mode = command.sandbox, .writes_files = true};
  for (const std::filesystem::path& database : command.build.databases) {
    add_named(database, options.paths);
  }
  add_result(book, options.paths);
  return lock_the_door(options);
}

ExitCode dump(const std::filesystem::path& book) {
  bool printed = true;
  const auto problems = dump_book(book, [&printed](std::string_view text) {
    printed = printed && std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  });
  if (std::fflush(stdout) != 0 || !printed) {
    log_error("Cannot write the table");
    return ExitCode::Failed;
  }
  if (!problems.ok()) return failed(problems.status(), ExitCode::Unreadable);
  for (const std::string& problem : *problems) log_warning(printable(problem));
  return problems->empty() ? ExitCode::Good : ExitCode::Damaged;
}

ExitCode build(const BookBuildOptions& options) {
  absl::StatusOr<BookBuildReport> report;
  {
    ProgressBar bar("building the book");
    report = build_book(
        options, [&bar](std::uint64_t done, std::uint64_t total) { bar.update(done, total); });
  }
  if (!report.ok()) return failed(report.status());
  for (const std::string& problem : report->problems) log_warning(printable(problem));
  if (report->damaged != 0) {
    log_warning(fmt::format("{} games are damaged: of these the moves before the damage count",
                            report->damaged));
  }
  if (report->far_away != 0) {
    log_warning(
        fmt::format("{} games lie beyond the first 4 GiB of their texts, where a book "
                    "cannot point",
                    report->far_away));
  }
  fmt::print("{} games ({} left out), {} positions, {} blocks, {} file{}\n", report->games,
             report->left_out, report->positions, report->blocks, report->pieces,
             report->pieces == 1 ? "" : "s");
  return ExitCode::Good;
}

ExitCode run(std::span<const char* const> arguments) {
  const absl::StatusOr<BookCommand> command = parse_book_command(arguments);
  if (!command.ok()) return wrong_command_line(kName, command.status());
  switch (command->action) {
    case BookCommand::Action::Help:
      fmt::print("{}", help_text(kBookManual));
      return ExitCode::Good;
    case BookCommand::Action::Version:
      fmt::print("{}", version_text(kName));
      return ExitCode::Good;
    case BookCommand::Action::Dump:
    case BookCommand::Action::Build:
      break;
  }
  if (command->action == BookCommand::Action::Dump) {
    const absl::Status status = lock_in_to_dump(*command);
    return status.ok() ? dump(command->book) : failed(status);
  }
  const EndingSignals signals;
  BookBuildOptions options = command->build;
  FileMaker maker(NewAccess::of_result(options.databases, book_piece_path(options.book, 0)));
  options.maker = &maker;
  if (const absl::Status status = lock_in_to_build(*command, maker); !status.ok()) {
    return failed(status);
  }
  signals.watch();
  return build(options);
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) {
  return scidfs::fs::run_program(scidfs::fs::kName, argc, argv, scidfs::fs::run);
}
