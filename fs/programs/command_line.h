// Parses the words of a command line for all programs with getopt_long(3).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

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

// Calls `take_option` with the name of each option as in `options` and its value, and `take_path`
// with every word that is no option, all in their order. After "--" no word is an option. Stops at
// the first error that one of them returns. Its own errors are InvalidArgument and name the word.
// Not thread-safe.
absl::Status read_words(
    std::span<const char* const> words, std::span<const WordOption> options,
    absl::FunctionRef<absl::Status(std::string_view name, std::string_view value)> take_option,
    absl::FunctionRef<absl::Status(std::string_view path)> take_path);

// Options of every program.
inline constexpr std::string_view kHelpLetter = "-h";
inline constexpr std::string_view kHelpWord = "--help";
inline constexpr std::string_view kVersionLetter = "-V";
inline constexpr std::string_view kVersionWord = "--version";
inline bool asks_for_help(std::string_view name) {
  return name == kHelpLetter || name == kHelpWord;
}
inline bool asks_for_version(std::string_view name) {
  return name == kVersionLetter || name == kVersionWord;
}

}  // namespace scidfs::fs
