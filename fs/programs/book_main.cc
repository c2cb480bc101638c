// scidfs-book: reads and builds Kvetka opening books.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "fs/base/log.h"
#include "fs/book/book.h"
#include "fs/build/book_build.h"
#include "fs/build/book_dump.h"
#include "fs/build/book_write.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_access.h"
#include "fs/programs/file_command.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"

namespace scidfs::fs {
namespace {

// Prints the book, in the sandbox, since it may come from an untrusted source.
ExitCode dump(const BookCommand& command) {
  const std::filesystem::path& book = command.paths[0];
  SandboxOptions sandbox{.mode = command.sandbox, .only_reads = true};
  add_named(book, sandbox.paths);
  if (const absl::Status status = lock_the_door(sandbox); !status.ok()) return failed(status);
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

ExitCode run(const BookCommand& command) {
  if (command.dumps) return dump(command);
  return make_files(command, command.paths,
                    NewAccess::of_result(command.paths, book_piece_path(command.result, 0)),
                    is_file_of_book, [&command](const FileMaker& maker) {
                      BookBuildOptions options = command.options;
                      options.databases = command.paths;
                      options.book = command.result;
                      options.maker = &maker;
                      return build(options);
                    });
}

}  // namespace

int book_main(int argc, char** argv) {
  return run_program(book_manual(), argc, argv, parse_book_command, run);
}

}  // namespace scidfs::fs
