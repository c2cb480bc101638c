#include "tests/support/lines_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <utility>

#include "codec/san.h"
#include "codec/target_position.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

using codec::Position;
using Kind = PgnToken::Kind;

std::string name_of(const Position& position) {
  return codec::position_name({.position = position});
}

std::string without_marks(std::string san) {
  san.resize(san.find_last_not_of("+#") + 1);
  return san;
}

class LinesParser {
 public:
  LinesParser(Lines& lines, std::vector<std::string>& faults) : lines_(lines), faults_(faults) {}

  void run(const PgnGame& game) {
    const std::string fen = unescape(tag_value(game, "FEN"));
    if (!fen.empty()) {
      const auto start = Position::from_fen(fen, codec::CastlingRule::Chess960);
      if (!start.ok()) return add_fault("FEN", fen);
      start_ = *start;
    }
    now_.after = start_;
    for (const PgnToken& token : parse_movetext(game.movetext)) take(token);
    for (const auto& [name, place] : lines_.places) check_place(place);
  }

 private:
  // A place in the text.
  struct Point {
    Position before;  // the last move
    Position after;
    std::vector<std::string> line;  // up to it
  };

  void add_fault(std::string_view what, std::string_view where) {
    faults_.push_back(fmt::format("{}: {}", what, where));
  }

  void take(const PgnToken& token) {
    switch (token.kind) {
      case Kind::Move:
        return play(token.text);
      case Kind::Comment:
        return read(fold_spaces(token.text));
      case Kind::Open:
        above_.push_back(now_);
        now_.after = now_.before;
        if (now_.line.empty()) return add_fault("variation", "of no move");
        now_.line.pop_back();
        return;
      case Kind::Close:
        if (above_.empty()) return add_fault("bracket", "that was not opened");
        now_ = above_.back();
        above_.pop_back();
        return;
      case Kind::Result:
        if (token.text != "*") add_fault("result", token.text);
        return;
      default:
        return add_fault("token", token.text);
    }
  }

  void play(const std::string& san) {
    const std::optional<codec::Move> move = codec::parse_san(now_.after, san);
    if (!move.has_value()) return add_fault("no move", san);
    if (codec::to_san(now_.after, *move) != san) add_fault("other SAN", san);
    now_.before = now_.after;
    now_.after.make(*move);
    played_ = {.san = without_marks(san), .next = name_of(now_.after)};
    now_.line.push_back(played_.san);
    is_awaited_ = true;
    lines_.first.push_back(played_.san);
  }

  void read(const std::string& comment) {
    if (!is_awaited_ && lines_.bounds.empty()) {
      lines_.bounds = comment;
      return;
    }
    static const std::regex kForm(
        R"(([\d,]+)(: (\d+\.\d)%)?(; goes on (after (.*)|at the beginning))?)");
    std::smatch match;
    if (!is_awaited_ || !std::regex_match(comment, match, kForm)) {
      return add_fault("comment", comment);
    }
    is_awaited_ = false;
    lines_.first.pop_back();
    std::string games = match[1];
    std::erase(games, ',');
    played_.games = static_cast<std::uint32_t>(std::stoul(games));
    played_.score = match[3];
    played_.goes_on = match[6].matched ? match[6].str() : match[5].str();
    Lines::Place& place = lines_.places[name_of(now_.before)];
    const std::vector<std::string> line(now_.line.begin(), now_.line.end() - 1);
    if (place.moves.empty()) {
      place.position = now_.before;
      place.line = line;
    } else if (place.line != line) {
      add_fault("goes on twice", fmt::format("{}", fmt::join(line, " ")));
    }
    place.moves.push_back(played_);
    ++lines_.moves;
  }

  void check_place(const Lines::Place& place) {
    for (const LineMove& move : place.moves) {
      const std::string where = fmt::format("{} {}", fmt::join(place.line, " "), move.san);
      if (std::ranges::count(place.moves, move.san, &LineMove::san) != 1) {
        add_fault("move twice", where);
      }
      const auto next = lines_.places.find(move.next);
      std::vector<std::string> way = place.line;
      way.push_back(move.san);
      const bool is_here = next == lines_.places.end() || next->second.line == way;
      if (is_here != move.goes_on.empty()) add_fault("goes on elsewhere", where);
      if (is_here) continue;
      way.clear();
      if (move.goes_on != "at the beginning") {
        for (const std::string& word : split(move.goes_on, ' ')) {
          if (word.find('.') == std::string::npos) way.push_back(word);
        }
      }
      if (next->second.line != way) add_fault("goes on after another line", where);
    }
  }

  Lines& lines_;
  std::vector<std::string>& faults_;
  Position start_;
  Point now_;
  std::vector<Point> above_;
  LineMove played_;
  bool is_awaited_ = false;
};

}  // namespace

Lines parse_lines(std::string_view text, std::vector<std::string>& faults) {
  Lines lines;
  for (const std::string& fault : pgn_faults(text)) faults.push_back(fault);
  const std::vector<PgnGame> games = parse_pgn(text);
  if (games.size() != 1) {
    faults.push_back(fmt::format("{} games", games.size()));
  } else {
    LinesParser(lines, faults).run(games[0]);
  }
  return lines;
}

}  // namespace scidfs::tests
