// What the main() of each program does around its work.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <span>

#include "fs/base/log.h"

namespace scidfs::fs {

// Calls `run` with the words behind the program's name. What is thrown, such as a lack of memory,
// becomes a message and `failure`. Returns the exit code.
template <class Exit>
int run_program(int argc, char** argv, Exit (*run)(std::span<const char* const>), Exit failure) {
  try {
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    return static_cast<int>(run(words.subspan(argc > 0 ? 1 : 0)));
  } catch (const std::exception& error) {
    log_error(fmt::format("Cannot go on: {}", error.what()));
    return static_cast<int>(failure);
  }
}

}  // namespace scidfs::fs
