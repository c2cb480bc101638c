// The command line of scidfs-book.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <span>
#include <string>

#include "fs/build/book_build.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

struct BookCommand {
  enum class Action { Dump, Build, Help, Version };
  Action action = Action::Help;
  std::filesystem::path book;  // of a dump
  BookBuildOptions build;
  SandboxMode sandbox = SandboxMode::Auto;
};

// Parses the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<BookCommand> parse_book_command(std::span<const char* const> arguments);

}  // namespace scidfs::fs
