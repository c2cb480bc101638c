// The frame that the main() of each program runs its work in.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "fs/base/exit_code.h"
#include "fs/file/file_maker.h"
#include "fs/programs/command_line.h"
#include "fs/programs/file_command.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {

// Calls `run` with the words after the program's name and returns the exit code. Messages begin
// with `name`. An exception, such as a lack of memory, becomes a message and ExitCode::Failed. A
// file that exceeds the size limit of the process (`ulimit -f`) is an error like a full disk, not a
// signal.
int run_program(std::string_view name, int argc, char** argv,
                absl::FunctionRef<ExitCode(std::span<const char* const>)> run);

// Prints a text on standard output; if that fails, says so.
ExitCode print(const std::string& text);

// Prints what a command line asked for in place of the program's work, or what is wrong with it.
ExitCode answer(const Manual& manual, const absl::StatusOr<Asked>& asked);

// Does what words say: `parse` returns that, or an error, and `work` does it.
ExitCode obey(const Manual& manual, std::span<const char* const> words, const auto& parse,
              const auto& work) {
  const auto command = parse(words);
  if (!command.ok()) return answer(manual, command.status());
  return command->asked == Asked::Work ? work(*command) : answer(manual, command->asked);
}

// Runs a program that does what its words say.
int run_program(const Manual& manual, int argc, char** argv, const auto& parse, const auto& work) {
  return run_program(manual.name, argc, argv, [&](std::span<const char* const> words) {
    return obey(manual, words, parse, work);
  });
}

// Runs work that makes the result of a command, in the sandbox, since the files that it reads may
// come from untrusted sources. Files with names of the result are made with `access`. A signal ends
// the work, and removes what is unfinished.
ExitCode make_files(const FileCommand& command, std::span<const std::filesystem::path> read,
                    NewAccess access,
                    bool (*is_of_result)(const std::filesystem::path& result,
                                         std::string_view name),
                    absl::FunctionRef<ExitCode(const FileMaker& maker)> work);

// Prints the error. Returns `code`.
ExitCode failed(const absl::Status& error, ExitCode code = ExitCode::Failed);

}  // namespace scidfs::fs
