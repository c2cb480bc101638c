#include "fs/programs/file_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "codec/kvetka/sources.h"
#include "fs/base/status_macros.h"
#include "fs/book/book.h"
#include "fs/options/option_row.h"
#include "fs/options/option_values.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

template <class Command>
constexpr OptionRow<Command> kSandbox = {
    {"--sandbox", "auto|strict|off",
     "what it can open and do is bounded as far as the kernel can see to it; strict: or nothing is "
     "done; off: for debugging (default: auto)"},
    &choose<In<&FileCommand::sandbox>, SandboxMode::Auto, SandboxMode::Strict, SandboxMode::Off>};

// Returns the texts of rows, without or with the options of all programs that make files.
template <class Command>
std::vector<OptionText> texts_of(std::span<const OptionRow<Command>> rows, bool with_common) {
  std::vector<OptionText> texts;
  for (const OptionRow<Command>& row : rows) texts.push_back(row.text);
  if (with_common) {
    texts.push_back(kSandbox<Command>.text);
    texts.insert(texts.end(), kCommonOptions.begin(), kCommonOptions.end());
  }
  return texts;
}

// Parses the words. `given` gets the names of the options, but for that of the sandbox.
template <class Command>
absl::StatusOr<Command> parse_words(std::span<const char* const> words, const Manual& manual,
                                    std::span<const OptionRow<Command>> rows,
                                    std::vector<Value>& given) {
  Command command;
  const auto take = [&](Value name, Value value) {
    const auto of_rows =
        std::ranges::find(rows, name, [](const auto& row) { return row.text.names; });
    const OptionRow<Command>& row = of_rows != rows.end() ? *of_rows : kSandbox<Command>;
    if (name == "-o" && std::ranges::find(given, name) != given.end())
      return absl::InvalidArgumentError(
          fmt::format("-o {} may be given only once", row.text.value));
    if (of_rows != rows.end()) given.push_back(name);
    if (row.set(row.text, command, value)) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format("invalid value for {}: '{}'", name, value));
  };
  const auto take_path = [&](Value path) {
    command.paths.emplace_back(path);
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(command.asked, read_words(words, words_of(manual), take, take_path));
  return command;
}

// `path` and `result` say what the paths and the result are.
absl::Status check_paths(const FileCommand& command, Value path, Value result) {
  if (command.paths.empty()) return absl::InvalidArgumentError(fmt::format("{} is missing", path));
  if (std::ranges::find(command.paths, "") != command.paths.end())
    return absl::InvalidArgumentError(fmt::format("{} is empty", path));
  if (command.result.empty())
    return absl::InvalidArgumentError(fmt::format("-o {} is missing", result));
  return absl::OkStatus();
}

template <auto... kMembers>
using InImport = In<&ImportCommand::options, kMembers...>;
template <auto... kMembers>
using InBook = In<&BookCommand::options, kMembers...>;

bool set_encoding(const OptionText& /*text*/, ImportCommand& command, Value value) {
  const std::optional<ChosenPage> chosen = parse_chosen_page(value);
  if (!chosen) return false;
  command.options.names = chosen->page;
  if (!chosen->is_of_names) command.options.page = chosen->page;
  return true;
}

constexpr std::array kOfImport = {
    OptionRow<ImportCommand>{
        {"-o", "DATABASE", "the database to write: NAME.si5, or NAME.si4 for Scid 4"},
        &parse<In<&FileCommand::result>, parse_word>},
    OptionRow<ImportCommand>{
        {"--append", "", "add the games to DATABASE, which scidfs-import wrote"},
        &set_flag<InImport<&ImportOptions::is_append>>},
    OptionRow<ImportCommand>{
        {"--encoding", "1252|1251|866|437|932|N",
         "code page of PGN that is not UTF-8, and of names in zip files (names:N: of those alone); "
         "may be repeated (default: 1252)"},
        &set_encoding},
    OptionRow<ImportCommand>{
        {"--partial", "",
         "of compressed files that were cut, as downloads are, take the games that are whole"},
        &set_flag<InImport<&ImportOptions::takes_partial>>},
    OptionRow<ImportCommand>{
        {"--threads", "N", "threads that read PGN (default: one for each processor)"},
        &parse<InImport<&ImportOptions::threads>, parse_within<1, 256>>},
};

constexpr std::array kOfPack = {
    OptionRow<PackCommand>{{"-o", "ARCHIVE", "the file to write"},
                           &parse<In<&FileCommand::result>, parse_word>},
    OptionRow<PackCommand>{
        {"--force", "", "overwrite ARCHIVE if it exists; only a file, never a device or a link"},
        &set_flag<In<&PackCommand::options, &PackOptions::overwrite>>},
};

std::optional<std::filesystem::path> parse_book(Value value) {
  std::filesystem::path book = book_prefix(value);
  return book.has_filename() ? std::optional(std::move(book)) : std::nullopt;
}

std::optional<std::uint64_t> parse_plies(Value value) {
  using codec::kvetka::kAllPlies;
  return value == "all" ? kAllPlies : parse_within<1, kAllPlies - 1>(value);
}

std::optional<std::string> parse_caption(Value value) {
  return value.size() <= 1000 ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::size_t> parse_megabytes(Value value) {
  const std::optional<std::uint64_t> megabytes = parse_within<1, 1 << 20>(value);
  return megabytes ? std::optional<std::size_t>(*megabytes << 20) : std::nullopt;
}

constexpr auto kParseElo = parse_within<0, std::numeric_limits<std::uint16_t>::max()>;

using codec::CodePage;
using codec::kvetka::ByteOrder;
using codec::kvetka::RatingLimits;

constexpr std::array kOfBuild = {
    OptionRow<BookCommand>{{"-o", "NAME", "the book, with or without its folder"},
                           &parse<In<&FileCommand::result>, parse_book>},
    OptionRow<BookCommand>{
        {"--plies", "N|all", "half-moves taken of each game, 1 to 254, or all (default: 20)"},
        &parse<InBook<&BookBuildOptions::plies>, parse_plies>},
    OptionRow<BookCommand>{
        {"--min-elo", "N", "both players have at least this Elo (default: 0, no limit)"},
        &parse<InBook<&BookBuildOptions::limits, &RatingLimits::weak>, kParseElo>},
    OptionRow<BookCommand>{
        {"--min-strong-elo", "N", "the stronger player has at least this Elo"},
        &parse<InBook<&BookBuildOptions::limits, &RatingLimits::strong>, kParseElo>},
    OptionRow<BookCommand>{
        {"--min-white-elo", "N", "White has at least this Elo"},
        &parse<InBook<&BookBuildOptions::limits, &RatingLimits::white>, kParseElo>},
    OptionRow<BookCommand>{
        {"--min-black-elo", "N", "Black has at least this Elo"},
        &parse<InBook<&BookBuildOptions::limits, &RatingLimits::black>, kParseElo>},
    OptionRow<BookCommand>{
        {"--links", "",
         "also list moves that were never played but lead to a position of the book (16 more "
         "bytes of memory for each position)"},
        &set_flag<InBook<&BookBuildOptions::links>>},
    OptionRow<BookCommand>{{"--caption", "TEXT", "a short description (default: the book's name)"},
                           &parse<InBook<&BookBuildOptions::caption>, parse_caption>},
    OptionRow<BookCommand>{
        {"--code-page", "1252|1251|utf-8", "code page of the names of players (default: 1252)"},
        &choose<InBook<&BookBuildOptions::code_page>, CodePage::Windows1252, CodePage::Windows1251,
                CodePage::Utf8>},
    OptionRow<BookCommand>{
        {"--byte-order", "little|big", "byte order of the texts (default: little)"},
        &choose<InBook<&BookBuildOptions::byte_order>, ByteOrder::Little, ByteOrder::Big>},
    OptionRow<BookCommand>{
        {"--memory", "N",
         "megabytes for sorting; more data goes to temporary files beside the book (default: 256)"},
        &parse<InBook<&BookBuildOptions::memory>, parse_megabytes>},
    OptionRow<BookCommand>{
        {"--threads", "N", "threads that read games (default: one for each processor)"},
        &parse<InBook<&BookBuildOptions::threads>, parse_within<1, 1024>>},
};

}  // namespace

const Manual& import_manual() {
  static const Manual kManual = {
      .name = "scidfs-import",
      .usage = "scidfs-import SOURCE... -o DATABASE [--append]",
      .purpose =
          R"(Writes the games of all SOURCEs to a new Scid database. SOURCE is a PGN file (.pgn,
.pgn.gz, .pgn.zst, .pgn.bz2 or .pgn.xz), a .zip file of them, - for PGN from standard input, or the
index file of a database (.si3, .si4 or .si5), with its other files beside it. The database
appears when it is complete; it never takes the place of another one, but with --append that of its
last version.)",
      .groups = {{"", texts_of<ImportCommand>(kOfImport, true)}},
      .notes =
          "Exit codes: 0 the database is there, 1 it could not be made, 2 wrong command line, 3 it "
          "is there, but something in a source could not be read, or not be stored as it was.",
  };
  return kManual;
}

const Manual& pack_manual() {
  static const Manual kManual = {
      .name = "scidfs-pack",
      .usage = "scidfs-pack DATABASE... -o ARCHIVE [--force]",
      .purpose =
          R"(Packs databases into an archive (.scv) that Scidb can read. DATABASE is the index file of a
database (.si4), with its other files beside it, or a PGN file. The archive holds the databases as
they were at one moment: while a program writes to them, scidfs-pack packs nothing. The archive
appears when it is complete and has been read again.)",
      .groups = {{"", texts_of<PackCommand>(kOfPack, true)}},
      .notes = "Exit codes: 0 the archive is there, 1 it could not be made, 2 wrong command line.",
  };
  return kManual;
}

const Manual& book_manual() {
  static const Manual kManual = {
      .name = "scidfs-book",
      .usage =
          R"(scidfs-book dump NAME
scidfs-book build DATABASE.si4... -o NAME [OPTION VALUE]... [--links])",
      .purpose =
          R"(Reads and makes Kvetka opening books: NAME_0.kob, NAME_1.kob, ..., NAME.kin and NAME.ksf.

dump prints a book as a table with tabs, a line for each position; of NAME.ksf, a line for each
game. It reports damage on the standard error.

build counts the games of Scid databases that are not deleted and have a result. It replaces files
that have the names of the book when the new ones are complete; never a device or a link.)",
      .groups = {{"Of build:", texts_of<BookCommand>(kOfBuild, false)},
                 {"Of both:", texts_of<BookCommand>({}, true)}},
      .notes =
          R"(The source of a game is the file that scidfs shows: DATABASE.si4/all.pgn, with the place of the
game in it under the default options.

Exit codes: 0 done, 1 it could not be done, 2 wrong command line; of dump: 3 the book is damaged,
4 it cannot be opened.)",
  };
  return kManual;
}

absl::StatusOr<ImportCommand> parse_import_command(std::span<const char* const> words) {
  std::vector<Value> given;
  auto command = parse_words<ImportCommand>(words, import_manual(), kOfImport, given);
  if (command.ok() && command->asked == Asked::Work)
    RETURN_IF_ERROR(check_paths(*command, "SOURCE", "DATABASE"));
  return command;
}

absl::StatusOr<PackCommand> parse_pack_command(std::span<const char* const> words) {
  std::vector<Value> given;
  auto command = parse_words<PackCommand>(words, pack_manual(), kOfPack, given);
  if (command.ok() && command->asked == Asked::Work)
    RETURN_IF_ERROR(check_paths(*command, "DATABASE", "ARCHIVE"));
  return command;
}

absl::StatusOr<BookCommand> parse_book_command(std::span<const char* const> words) {
  std::vector<Value> given;
  ASSIGN_OR_RETURN(BookCommand command,
                   parse_words<BookCommand>(words, book_manual(), kOfBuild, given));
  if (command.asked != Asked::Work) return command;
  if (command.paths.empty()) return absl::InvalidArgumentError("missing command: build or dump");
  const std::string action = command.paths[0];
  command.paths.erase(command.paths.begin());
  command.dumps = action == "dump";
  if (command.dumps) {
    if (!given.empty())
      return absl::InvalidArgumentError(fmt::format("only build takes {}", given.back()));
    if (command.paths.size() != 1) return absl::InvalidArgumentError("dump takes one NAME");
    return command;
  }
  if (action != "build")
    return absl::InvalidArgumentError(fmt::format("unknown command '{}'", action));
  RETURN_IF_ERROR(check_paths(command, "DATABASE", "NAME"));
  if (command.paths.size() > codec::kvetka::kMaxSources)
    return absl::InvalidArgumentError("too many databases");
  return command;
}

}  // namespace scidfs::fs
