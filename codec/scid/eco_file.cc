#include "codec/scid/eco_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "codec/san.h"
#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::size_t kMostShown = 20;  // bytes of a text that is no move

// Returns whether a character is one of kWhiteSpace, in less time than a search there takes.
constexpr bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Takes the next move of a line from the front of `rest`; returns an empty view if there is none.
// Like Scid, skips all characters before its first letter, such as a number.
std::string_view take_move(std::string_view& rest) {
  const auto* const begin = std::ranges::find_if(
      rest, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  rest.remove_prefix(static_cast<std::size_t>(begin - rest.begin()));
  const auto* const end = std::ranges::find_if(rest, is_white_space);
  const std::string_view move = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(move.size());
  return move;
}

// A parser of one entry after the other: each from the code at the start of a line to the `*`.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  EcoFile parse() {
    while (!rest_.empty()) {
      const std::string_view line = next_line();
      if (line.empty() || line.front() == '#') {
        skip_line();
      } else if (parse_eco(line) == 0) {
        fail("a code is missing");
        skip_line();
      } else {
        parse_entry();
      }
    }
    return std::move(file_);
  }

 private:
  void parse_entry() {
    const std::uint32_t first_line = line_;
    const std::string_view entry = trim(take_entry());
    NamedLine line{.code = parse_eco(entry), .plies = 0, .name = {}, .moves = {}};
    const std::size_t quote = entry.find('"');
    const std::size_t end_quote =
        quote == std::string_view::npos ? quote : entry.find('"', quote + 1);
    if (end_quote == std::string_view::npos) return fail("a name in quotes is missing", first_line);
    line.name = clean_line(trim(entry.substr(quote + 1, end_quote - quote - 1)));
    if (line.name.empty()) return fail("the name is empty", first_line);
    if (line.name.size() > kMostNameBytes) return fail("the name is too long", first_line);
    const std::string_view moves = entry.substr(end_quote + 1);
    const std::size_t star = moves.find('*');
    if (star == std::string_view::npos) return fail("no * ends the moves", first_line);
    line.moves = trim(moves.substr(0, star));
    for (std::string_view rest = line.moves; !take_move(rest).empty();) ++line.plies;
    if (line.plies > kMostNamedPlies) return fail("there are too many moves", first_line);
    if (file_.lines.size() == kMostNamedLines) return fail("there are too many names", first_line);
    file_.lines.push_back(std::move(line));
  }

  // Takes the lines to the one with the `*` after the name, but stops before a line that begins
  // with another code: then a part is missing. Names do not continue on the next line.
  std::string_view take_entry() {
    const char* const begin = rest_.data();
    bool is_whole = false;
    do {
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      is_whole = std::ranges::count(line, '"') % 2 != 0 ||
                 line.substr(line.find_last_of('"') + 1).find('*') != std::string_view::npos;
      skip_line();
    } while (!is_whole && !rest_.empty() && parse_eco(next_line()) == 0);
    return {begin, static_cast<std::size_t>(rest_.data() - begin)};
  }

  // Returns the next line without blanks around it.
  std::string_view next_line() const { return trim(rest_.substr(0, rest_.find('\n'))); }

  void skip_line() {
    const std::size_t end = rest_.find('\n');
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
  }

  void fail(std::string_view reason) { fail(reason, line_); }
  void fail(std::string_view reason, std::uint32_t line) {
    ++file_.bad_entries;
    if (file_.problems.size() == kMostEcoProblems) return;
    file_.problems.push_back(fmt::format("line {}: {}", line, reason));
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  EcoFile file_;
};

}  // namespace

EcoFile parse_eco_file(std::string_view text) { return Parser(text).parse(); }

absl::StatusOr<Position> LinePlayer::play(std::string_view moves) {
  std::size_t plies = 0;
  Position position;
  for (std::string_view san = take_move(moves); !san.empty(); san = take_move(moves)) {
    if (plies < steps_.size() && steps_[plies].san == san) {
      position = steps_[plies++].after;
      continue;
    }
    steps_.resize(plies);
    const std::optional<Move> move = parse_san(position, san);
    if (!move.has_value()) {
      return absl::InvalidArgumentError(
          fmt::format("{} is no move there", clean_line(san.substr(0, kMostShown))));
    }
    position.make(*move);
    steps_.push_back({.san = san, .after = position});
    ++plies;
  }
  steps_.resize(plies);
  return position;
}

}  // namespace scidfs::codec::scid
