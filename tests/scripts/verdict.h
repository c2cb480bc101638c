// Runs a script that checks the sources, and returns its output and exit code.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/support/configuration.h"

namespace scidfs::tests {

struct Verdict {
  int exit_code = -1;
  std::string lines;
};

// Runs a script of scripts/. `arguments` must not contain characters that are special to the shell.
inline Verdict verdict_of(const std::string& script, const std::string& arguments) {
  const std::string command = source_path("scripts/" + script).string() + " " + arguments + " 2>&1";
  Verdict verdict;
  std::FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return verdict;
  for (int byte = std::getc(output); byte != EOF; byte = std::getc(output)) {
    verdict.lines += static_cast<char>(byte);
  }
  const int status = ::pclose(output);
  if (WIFEXITED(status)) verdict.exit_code = WEXITSTATUS(status);
  return verdict;
}

}  // namespace scidfs::tests
