// Parses the words of a command line for all programs with getopt_long(3).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <span>
#include <string_view>

namespace scidfs::fs {

// "-x" or "--word". Values are "-x VALUE", "-xVALUE", "--word VALUE" or "--word=VALUE"; flags of
// one letter can be written together. As in every program that uses getopt_long, an unambiguous
// beginning of a word is enough.
struct WordOption {
  std::string_view name;
  bool has_value = false;
};

// What a program is to do: its work, or one of what every program does.
enum class Asked { Work, Help, Version };

// Calls `take_option` with the name of each option as in `options` and its value, and `take_path`
// with every word that is no option, all in their order. After "--" no word is an option. Stops at
// the first error that one of them returns, and at an option for help or version. Its own errors
// are InvalidArgument and name the word. Not thread-safe.
absl::StatusOr<Asked> read_words(
    std::span<const char* const> words, std::span<const WordOption> options,
    absl::FunctionRef<absl::Status(std::string_view name, std::string_view value)> take_option,
    absl::FunctionRef<absl::Status(std::string_view path)> take_path);

}  // namespace scidfs::fs
