// The command lines of the programs that make files of other files.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <span>
#include <vector>

#include "fs/build/book_build.h"
#include "fs/build/pack.h"
#include "fs/import/import.h"
#include "fs/programs/command_line.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

struct FileCommand {
  Asked asked = Asked::Work;
  std::vector<std::filesystem::path> paths;  // the words that are no options
  std::filesystem::path result;              // of -o
  SandboxMode sandbox = SandboxMode::Auto;
};

// Without the sources and the result.
struct ImportCommand : FileCommand {
  ImportOptions options;
};
struct PackCommand : FileCommand {
  PackOptions options;
};
struct BookCommand : FileCommand {
  bool dumps = false;  // the book that is its only path
  BookBuildOptions options;
};

// Parse the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<ImportCommand> parse_import_command(std::span<const char* const> words);
absl::StatusOr<PackCommand> parse_pack_command(std::span<const char* const> words);
absl::StatusOr<BookCommand> parse_book_command(std::span<const char* const> words);

}  // namespace scidfs::fs
