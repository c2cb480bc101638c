#include "fs/programs/command_line.h"

#include <fmt/format.h>
#include <getopt.h>

#include <string>
#include <vector>

#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

// The results of getopt_long for a word that is no option, and for the first long option.
constexpr int kPath = 1;
constexpr int kFirstWord = 256;

bool is_letter(const WordOption& option) { return !option.name.starts_with("--"); }

// The options in the form that getopt_long expects.
struct Tables {
  explicit Tables(std::span<const WordOption> all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_letter(all[i])) {
        letters += all[i].name[1];
        if (all[i].has_value) letters += ':';
      } else {
        names.emplace_back(all[i].name.substr(2));
        numbers.push_back(kFirstWord + static_cast<int>(i));
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const WordOption& one = all[static_cast<std::size_t>(numbers[i] - kFirstWord)];
      words.push_back({.name = names[i].c_str(),
                       .has_arg = one.has_value ? required_argument : no_argument,
                       .flag = nullptr,
                       .val = numbers[i]});
    }
    words.push_back({});
  }

  // "-": options and other words in their order. ":": a missing value is not an unknown option.
  std::string letters = "-:";
  std::vector<std::string> names;
  std::vector<int> numbers;
  std::vector<option> words;
};

std::string_view name_of(int code, std::span<const WordOption> options) {
  if (code >= kFirstWord) return options[static_cast<std::size_t>(code - kFirstWord)].name;
  for (const WordOption& option : options) {
    if (is_letter(option) && option.name[1] == static_cast<char>(code)) return option.name;
  }
  return "";
}

// `word` is the word that getopt_long has stopped at. optopt is 0 for an unknown long option.
absl::Status misused(int code, std::string_view word, std::span<const WordOption> options) {
  if (code == ':')
    return absl::InvalidArgumentError(fmt::format("{} requires a value", name_of(optopt, options)));
  if (optopt >= kFirstWord)
    return absl::InvalidArgumentError(fmt::format("{} takes no value", name_of(optopt, options)));
  if (optopt != 0)
    return absl::InvalidArgumentError(
        fmt::format("unknown option '-{}'", static_cast<char>(optopt)));
  return absl::InvalidArgumentError(fmt::format("unknown option '{}'", word));
}

}  // namespace

absl::StatusOr<Asked> read_words(
    std::span<const char* const> words, std::span<const WordOption> options,
    absl::FunctionRef<absl::Status(std::string_view name, std::string_view value)> take_option,
    absl::FunctionRef<absl::Status(std::string_view path)> take_path) {
  const Tables tables(options);
  std::string program = "scidfs";
  std::vector<char*> all = {program.data()};
  // getopt_long does not write to the words and, in this order, does not move them.
  for (const char* const word : words) all.push_back(const_cast<char*>(word));
  const auto count = static_cast<int>(all.size());
  const char* const letters = tables.letters.c_str();
  all.push_back(nullptr);
  opterr = 0;
  optind = 0;  // starts again
  while (true) {
    const int at = optind == 0 ? 1 : optind;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): as the header says
    const int code = ::getopt_long(count, all.data(), letters, tables.words.data(), nullptr);
    if (code == -1) break;
    absl::Status status;
    if (code == kPath) {
      status = take_path(optarg);
    } else if (code == '?' || code == ':') {
      status = misused(code, all[static_cast<std::size_t>(at)], options);
    } else {
      const std::string_view name = name_of(code, options);
      if (name == "-h" || name == "--help") return Asked::Help;
      if (name == "-V" || name == "--version") return Asked::Version;
      status = take_option(name, optarg != nullptr ? optarg : "");
    }
    if (!status.ok()) return status;
  }
  for (int at = optind; at < count; ++at) {
    RETURN_IF_ERROR(take_path(all[static_cast<std::size_t>(at)]));
  }
  return Asked::Work;
}

}  // namespace scidfs::fs
