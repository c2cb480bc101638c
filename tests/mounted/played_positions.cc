#include "tests/mounted/played_positions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <set>
#include <utility>

#include "codec/movegen.h"
#include "codec/san.h"
#include "tests/mounted/mounted.h"
#include "tests/support/pgn_parse.h"

namespace scidfs::tests {
namespace {

codec::Position position_of(std::string_view fields) {
  const absl::StatusOr<codec::Position> position =
      codec::Position::from_fen(fields, codec::CastlingRule::Chess960);
  EXPECT_TRUE(position.ok()) << fields;
  return position.value_or(codec::Position());
}

std::string square_name(codec::Square square) {
  return {static_cast<char>('a' + codec::file_of(square)),
          static_cast<char>('1' + codec::rank_of(square))};
}

// A move of a position in the notation of engines.
std::string uci_of(std::string_view fields, std::string_view san) {
  const std::optional<codec::Move> move = codec::parse_san(position_of(fields), san);
  if (!move.has_value()) return "?";
  if (move->kind == codec::MoveKind::Null) return "0000";
  std::string text = square_name(move->from) + square_name(move->to);
  const std::size_t promotion = san.find('=');
  if (promotion != std::string_view::npos) {
    text += static_cast<char>(san[promotion + 1] - 'A' + 'a');
  }
  return text;
}

// The part of a text before the n-th blank.
std::string_view until_blank(std::string_view text, std::size_t n) {
  std::size_t end = 0;
  for (; n > 0; --n) end = text.find(' ', end + (end == 0 ? 0 : 1));
  return text.substr(0, end);
}

std::string tenths(unsigned long number) { return fmt::format("{}.{}", number / 10, number % 10); }

struct MoveLine {
  unsigned games = 0, white = 0, draws = 0, black = 0, rated = 0;
  std::set<unsigned> years;  // known years
  unsigned long ratings = 0;

  void add(const IndexLine& line, bool is_white_to_move) {
    const std::string_view result = line[kResultColumn];
    ++games;
    white += result == "1-0" ? 1 : 0;
    draws += result == "1/2-1/2" ? 1 : 0;
    black += result == "0-1" ? 1 : 0;
    const unsigned elo = line.elo(is_white_to_move ? kWhiteEloColumn : kBlackEloColumn);
    rated += elo == 0 ? 0 : 1;
    ratings += elo;
    if (line.year() != 0) years.insert(line.year());
  }
  std::string text(const std::string& san, const std::string& uci) const {
    const unsigned long most = 2UL * (white + draws + black);
    const unsigned long points = 2UL * white + draws;
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", san, uci, games, white,
                       draws, black, games - white - draws - black,
                       most == 0 ? "" : tenths((2000 * points + most) / (2 * most)),
                       rated == 0 ? "" : std::to_string((2 * ratings + rated) / (2UL * rated)),
                       years.empty() ? "" : std::to_string(*years.rbegin()),
                       years.empty() ? "" : std::to_string(*years.begin()));
  }
};

}  // namespace

std::vector<EpdLine> epd_lines(std::string_view text) {
  std::vector<EpdLine> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    EpdLine parsed{
        .fields = until_blank(line, 4), .board = until_blank(line, 2), .move = epd_move(line)};
    lines.push_back(parsed);
  }
  return lines;
}

std::string rights_of(std::string_view fields) {
  const std::string_view before = until_blank(fields, 3);
  std::string rights(before.substr(before.rfind(' ') + 1));
  const codec::MoveList moves = codec::legal_moves(position_of(fields));
  const bool takes = std::ranges::any_of(
      moves, [](const codec::Move& move) { return move.kind == codec::MoveKind::EnPassant; });
  return rights + (takes ? std::string(until_blank(fields, 4).substr(before.size())) : " -");
}

std::string PlayedSet::epd(const IndexLine& line) const {
  // "games/00000/00000001-NAME.pgn", also below deleted/.
  std::string path(line[kPathColumn]);
  const std::size_t name = path.rfind('/');
  const std::size_t folder = path.rfind('/', name - 1);
  return fmt::format("{}/fens{}.epd", directory.string(),
                     path.substr(folder, path.size() - folder - 4));
}

struct PlayedPositions::Hit {
  Wanted* wanted;
  PlayedGame game;
};

void PlayedPositions::add(const std::string& fen) {
  const auto [place, is_new] = positions_.try_emplace(fen);
  if (!is_new) return;
  Wanted& wanted = place->second;
  wanted.with_rights = std::ranges::count(fen, ' ') > 1;
  if (wanted.with_rights) wanted.rights = rights_of(fen);
  by_board_[until_blank(place->first, 2)].push_back(&wanted);
}

std::vector<PlayedPositions::Hit> PlayedPositions::hits_in(const PlayedSet& set, std::size_t begin,
                                                           std::size_t end) const {
  std::vector<Hit> hits;
  for (std::size_t game = begin; game < end; ++game) {
    const IndexLine& line = set.index->lines()[game];
    const std::string text = read_all(set.epd(line));
    std::vector<const Wanted*> seen;
    for (const EpdLine& epd : epd_lines(text)) {
      const auto found = by_board_.find(epd.board);
      if (found == by_board_.end()) continue;
      for (Wanted* const wanted : found->second) {
        if (std::ranges::find(seen, wanted) != seen.end()) continue;
        if (wanted->with_rights && rights_of(epd.fields) != wanted->rights) continue;
        seen.push_back(wanted);
        const std::string san(epd.move);
        hits.push_back(
            {.wanted = wanted,
             .game = {
                 .line = &line, .san = san, .uci = san.empty() ? "" : uci_of(epd.fields, san)}});
      }
    }
  }
  return hits;
}

void PlayedPositions::count(const PlayedSet& set) {
  constexpr std::size_t kParts = 4;
  const std::size_t games = set.index->lines().size();
  std::vector<std::future<std::vector<Hit>>> parts;
  for (std::size_t part = 0; part < kParts; ++part) {
    parts.push_back(std::async(std::launch::async, [&, part] {
      return hits_in(set, games * part / kParts, games * (part + 1) / kParts);
    }));
  }
  for (auto& part : parts) {
    for (Hit& hit : part.get()) hit.wanted->games.push_back(std::move(hit.game));
  }
}

const std::vector<PlayedGame>& PlayedPositions::games(const std::string& fen) const {
  return positions_.at(fen).games;
}

std::string moves_table(const std::vector<PlayedGame>& games, std::string_view fen) {
  const bool is_white_to_move = until_blank(fen, 2).ends_with('w');
  std::map<std::pair<std::string, std::string>, MoveLine> lines;
  for (const PlayedGame& game : games) {
    if (!game.san.empty()) lines[{game.san, game.uci}].add(*game.line, is_white_to_move);
  }
  std::multimap<unsigned, std::string, std::greater<>> by_games;
  for (const auto& [move, line] : lines) {
    by_games.emplace(line.games, line.text(move.first, move.second));
  }
  std::string text =
      "san\tuci\tgames\twhite_wins\tdraws\tblack_wins\tunknown\tscore\taverage_elo\tlast_year\t"
      "first_year\n";
  for (const auto& [number, line] : by_games) text += line;
  return text;
}

std::string position_directory(std::string_view fen) {
  std::string name(fen);
  const auto board = name.begin() + static_cast<std::ptrdiff_t>(name.find(' '));
  std::replace(name.begin(), board, '/', '-');
  std::ranges::replace(name, ' ', '_');
  return name;
}

}  // namespace scidfs::tests
