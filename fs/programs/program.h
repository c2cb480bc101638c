// What the main() of each program does around its work.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <span>
#include <string>
#include <string_view>

#include "fs/base/exit_code.h"

namespace scidfs::fs {

// Calls `run` with the words after the program's name. Messages begin with `name`. What is thrown,
// such as a lack of memory, becomes a message and ExitCode::Failed. A file that grows beyond what
// the process may write (`ulimit -f`) is an error like a full disk, not a signal. Returns the exit
// code.
int run_program(std::string_view name, int argc, char** argv,
                absl::FunctionRef<ExitCode(std::span<const char* const>)> run);

// What --version prints.
std::string version_text(std::string_view name);

// Says what is wrong with the command line and where to read on.
ExitCode wrong_command_line(std::string_view name, const absl::Status& error);

// Says what went wrong.
ExitCode failed(const absl::Status& error, ExitCode code = ExitCode::Failed);

}  // namespace scidfs::fs
