#include "fs/programs/book_options.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "codec/kvetka/sources.h"
#include "fs/book/book.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

template <class Number>
bool parse(Value text, std::uint64_t least, std::uint64_t most, Number& number) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) return false;
  number = static_cast<Number>(value);
  return true;
}

bool parse_elo(Value text, std::uint16_t& elo) {
  return parse(text, 0, std::numeric_limits<std::uint16_t>::max(), elo);
}

// Takes a value; false if it is a bad one.
struct Option {
  Value name;
  bool (*set)(BookBuildOptions&, Value);
};

constexpr std::array<Option, 11> kOptions = {{
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
       using codec::kvetka::CodePage;
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

absl::Status parse_build(std::span<const char* const> arguments, BookBuildOptions& build) {
  bool only_paths = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value argument = arguments[i];
    if (only_paths || argument.empty() || argument[0] != '-') {
      build.databases.emplace_back(argument);
      continue;
    }
    if (argument == "--") {
      only_paths = true;
      continue;
    }
    if (argument == "--links") {
      build.links = true;
      continue;
    }
    const auto option = std::ranges::find(kOptions, argument, &Option::name);
    if (option == kOptions.end()) return wrong(fmt::format("unknown option '{}'", argument));
    if (++i == arguments.size()) return wrong(fmt::format("{} wants a value", argument));
    if (!option->set(build, arguments[i])) {
      return wrong(fmt::format("{} cannot be '{}'", argument, arguments[i]));
    }
  }
  if (build.databases.empty()) return wrong("no DATABASE is named");
  if (build.databases.size() > codec::kvetka::kMaxSources) return wrong("too many databases");
  if (build.book.empty()) return wrong("-o NAME is missing");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BookCommand> parse_book_command(std::span<const char* const> arguments) {
  BookCommand command;
  if (arguments.empty()) return wrong("nothing is said to be done");
  const Value word = arguments[0];
  for (const Value argument : arguments) {
    if (argument == "--") break;
    if (argument == "-h" || argument == "--help") return command;
  }
  if (word == "-V" || word == "--version") {
    command.action = BookCommand::Action::Version;
    return command;
  }
  arguments = arguments.subspan(1);
  if (word == "dump") {
    if (arguments.size() != 1) return wrong("dump wants one NAME");
    command.action = BookCommand::Action::Dump;
    command.book = arguments[0];
    return command;
  }
  if (word == "build") {
    command.action = BookCommand::Action::Build;
    if (absl::Status status = parse_build(arguments, command.build); !status.ok()) return status;
    return command;
  }
  return wrong(fmt::format("unknown command '{}'", word));
}

std::string book_help_text() {
  return R"(usage: scidfs-book dump NAME
       scidfs-book build DATABASE.si4... -o NAME [OPTION VALUE]... [--links]

Reads and makes Kvetka opening books: NAME_0.kob, NAME_1.kob, ..., NAME.kin and NAME.ksf.

dump prints a book as a table with tabs, a line for each position; of NAME.ksf, a line for each
game. What is wrong with it goes to the standard error.

build counts the games of Scid databases that are not deleted and have a result. Files that have
the names of the book are replaced when the new ones are whole.

  -o NAME              the book, with or without its folder
  --plies N|all        half-moves taken of each game, 1 to 254, or all (default: 20)
  --min-elo N          both players have at least this Elo (default: 0, no limit)
  --min-strong-elo N   the stronger one has
  --min-white-elo N    White has
  --min-black-elo N    Black has
  --links              list moves that nobody played, too, where they lead to a position of the book
                       (16 bytes of memory a position more)
  --caption TEXT       a short description (default: the book's name)
  --code-page 1252|1251|utf-8
                       of the names of players (default: 1252)
  --byte-order little|big
                       of the texts (default: little)
  --memory N           megabytes for sorting; more goes through temporary files beside the book
                       (default: 256)
  --threads N          (default: one for each processor)

The source of a game is the file that scidfs shows: DATABASE.si4/all.pgn, with the place of the
game in it under the default options.

Exit codes: 0 done, 1 the book is damaged (dump) or could not be made, 2 the command line is wrong
or the book cannot be opened.
)";
}

}  // namespace scidfs::fs
