#include "tests/support/tree_walk_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "tests/support/pgn_parse.h"

namespace scidfs::tests {
namespace {

constexpr std::string_view kHead =
    "san\tuci\tgames\twhite_wins\tdraws\tblack_wins\tunknown\tscore\taverage_elo\tlast_year\t"
    "first_year\n";

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::string_view board_and_side(std::string_view fen) {
  return fen.substr(0, fen.find(' ', fen.find(' ') + 1));
}

std::string_view field(std::string_view line, int number) {
  for (; number > 0; --number) line.remove_prefix(std::min(line.find('\t') + 1, line.size()));
  return line.substr(0, line.find('\t'));
}

std::size_t to_count(std::string_view text) {
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

}  // namespace

void PlayedInPositions::add(std::string_view epd) {
  std::set<std::string_view> seen;
  while (!epd.empty()) {
    const std::string_view line = take_line(epd);
    const std::string_view position = board_and_side(line);
    if (!seen.insert(position).second) continue;
    ++positions_[std::string(position)][std::string(epd_move(line))];
  }
}

std::vector<std::string> PlayedInPositions::faults(std::string_view fen,
                                                   std::string_view table) const {
  if (!table.starts_with(kHead)) return {"has no head"};
  table.remove_prefix(kHead.size());
  Moves counted;
  while (!table.empty()) {
    const std::string_view line = take_line(table);
    std::size_t results = 0;
    for (int result = 3; result <= 6; ++result) results += to_count(field(line, result));
    const std::size_t games = to_count(field(line, 2));
    if (results != games) return {"has more or fewer results than games"};
    counted[std::string(field(line, 0))] += games;
  }
  std::vector<std::string> faults;
  const auto found = positions_.find(board_and_side(fen));
  const Moves expected = found == positions_.end() ? Moves() : found->second;
  for (const auto& [move, games] : expected) {
    if (!move.empty() && counted[move] != games) {
      faults.push_back(fmt::format("has {} games with {}, not {}", counted[move], move, games));
    }
  }
  for (const auto& [move, games] : counted) {
    if (!expected.contains(move)) faults.push_back("has a move that nobody played: " + move);
  }
  return faults;
}

std::string_view fen_of_board(std::string_view board) {
  constexpr std::string_view kFen = "FEN";
  while (!board.empty()) {
    std::string_view line = take_line(board);
    if (!line.starts_with(kFen)) continue;
    line.remove_prefix(kFen.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line;
  }
  return {};
}

}  // namespace scidfs::tests
