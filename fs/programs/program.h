// The frame that the main() of each program runs its work in.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <span>
#include <string>
#include <string_view>

#include "fs/base/exit_code.h"

namespace scidfs::fs {

// Calls `run` with the words after the program's name and returns the exit code. Messages begin
// with `name`. An exception, such as a lack of memory, becomes a message and ExitCode::Failed. A
// file that exceeds the size limit of the process (`ulimit -f`) is an error like a full disk, not a
// signal.
int run_program(std::string_view name, int argc, char** argv,
                absl::FunctionRef<ExitCode(std::span<const char* const>)> run);

// Returns the text of --version.
std::string version_text(std::string_view name);

// Prints the error in the command line and where to find help. Returns the exit code.
ExitCode wrong_command_line(std::string_view name, const absl::Status& error);

// Prints the error. Returns `code`.
ExitCode failed(const absl::Status& error, ExitCode code = ExitCode::Failed);

}  // namespace scidfs::fs
