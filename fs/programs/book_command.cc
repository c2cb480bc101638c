#include "fs/programs/book_command.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/kvetka/sources.h"
#include "fs/book/book.h"
#include "fs/mount/option_values.h"
#include "fs/programs/command_line.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

template <class Number>
bool parse(Value text, std::uint64_t least, std::uint64_t most, Number& number) {
  const std::optional<std::uint64_t> value = parse_number(text, least, most);
  if (value) number = static_cast<Number>(*value);
  return value.has_value();
}

bool parse_elo(Value text, std::uint16_t& elo) {
  return parse(text, 0, std::numeric_limits<std::uint16_t>::max(), elo);
}

// An option of build. `set` stores the value and returns false if it is invalid.
struct BuildOption {
  Value name;
  bool (*set)(BookBuildOptions&, Value);
};

constexpr std::array<BuildOption, 11> kBuildOptions = {{
    {"-o",
     [](BookBuildOptions& build, Value value) {
       build.book = book_prefix(value);
       return build.book.has_filename();
     }},
    {"--plies",
     [](BookBuildOptions& build, Value value) {
       if (value == "all") {
         build.plies = codec::kvetka::kAllPlies;
         return true;
       }
       return parse(value, 1, codec::kvetka::kAllPlies - 1, build.plies);
     }},
    {"--min-elo",
     [](BookBuildOptions& build, Value value) { return parse_elo(value, build.limits.weak); }},
    {"--min-strong-elo",
     [](BookBuildOptions& build, Value value) { return parse_elo(value, build.limits.strong); }},
    {"--min-white-elo",
     [](BookBuildOptions& build, Value value) { return parse_elo(value, build.limits.white); }},
    {"--min-black-elo",
     [](BookBuildOptions& build, Value value) { return parse_elo(value, build.limits.black); }},
    {"--caption",
     [](BookBuildOptions& build, Value value) {
       build.caption = value;
       return value.size() <= 1000;
     }},
    {"--code-page",
     [](BookBuildOptions& build, Value value) {
       using codec::CodePage;
       if (value == "1252") build.code_page = CodePage::Windows1252;
       if (value == "1251") build.code_page = CodePage::Windows1251;
       if (value == "utf-8") build.code_page = CodePage::Utf8;
       return value == "1252" || value == "1251" || value == "utf-8";
     }},
    {"--byte-order",
     [](BookBuildOptions& build, Value value) {
       using codec::kvetka::ByteOrder;
       build.byte_order = value == "big" ? ByteOrder::Big : ByteOrder::Little;
       return value == "big" || value == "little";
     }},
    {"--threads",
     [](BookBuildOptions& build, Value value) { return parse(value, 1, 1024, build.threads); }},
    {"--memory",
     [](BookBuildOptions& build, Value value) {
       std::size_t megabytes = 0;
       if (!parse(value, 1, std::size_t{1} << 20, megabytes)) return false;
       build.memory = megabytes << 20;
       return true;
     }},
}};

// The words of the command line before they are validated.
struct Given {
  std::vector<Value> words;                  // the command and its paths
  Value build_option;                        // last one given; empty: none
  std::optional<BookCommand::Action> asked;  // help or version
};

absl::Status take(Value name, Value value, BookCommand& command, Given& given) {
  if (asks_for_help(name)) given.asked = BookCommand::Action::Help;
  if (asks_for_version(name)) given.asked = BookCommand::Action::Version;
  if (given.asked) return absl::CancelledError();
  if (name == "--sandbox") {
    const std::optional<SandboxMode> mode = parse_sandbox(value);
    if (!mode)
      return absl::InvalidArgumentError(fmt::format("invalid value for --sandbox: '{}'", value));
    command.sandbox = *mode;
    return absl::OkStatus();
  }
  given.build_option = name;
  if (name == "--links") {
    command.build.links = true;
    return absl::OkStatus();
  }
  const auto option = std::ranges::find(kBuildOptions, name, &BuildOption::name);
  if (option->set(command.build, value)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("invalid value for {}: '{}'", name, value));
}

absl::Status finish_dump(std::span<const Value> paths, Value build_option, BookCommand& command) {
  if (!build_option.empty())
    return absl::InvalidArgumentError(fmt::format("only build takes {}", build_option));
  if (paths.size() != 1) return absl::InvalidArgumentError("dump takes one NAME");
  command.action = BookCommand::Action::Dump;
  command.book = paths[0];
  return absl::OkStatus();
}

absl::Status finish_build(std::span<const Value> paths, BookCommand& command) {
  command.action = BookCommand::Action::Build;
  command.build.databases.assign(paths.begin(), paths.end());
  if (paths.empty()) return absl::InvalidArgumentError("DATABASE is missing");
  if (paths.size() > codec::kvetka::kMaxSources)
    return absl::InvalidArgumentError("too many databases");
  if (command.build.book.empty()) return absl::InvalidArgumentError("-o NAME is missing");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BookCommand> parse_book_command(std::span<const char* const> arguments) {
  BookCommand command;
  Given given;
  absl::Status status = read_words(
      arguments, words_of(kBookManual),
      [&](Value name, Value value) { return take(name, value, command, given); },
      [&given](Value word) {
        given.words.push_back(word);
        return absl::OkStatus();
      });
  if (given.asked) {
    command.action = *given.asked;
    return command;
  }
  if (!status.ok()) return status;
  if (given.words.empty()) return absl::InvalidArgumentError("missing command: build or dump");
  const std::span<const Value> paths = std::span(given.words).subspan(1);
  if (given.words[0] == "dump") {
    status = finish_dump(paths, given.build_option, command);
  } else if (given.words[0] == "build") {
    status = finish_build(paths, command);
  } else {
    status = absl::InvalidArgumentError(fmt::format("unknown command '{}'", given.words[0]));
  }
  if (!status.ok()) return status;
  return command;
}

}  // namespace scidfs::fs
