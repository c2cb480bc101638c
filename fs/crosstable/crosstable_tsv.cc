#include "fs/crosstable/crosstable_tsv.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/tsv.h"
#include "fs/crosstable/crosstable_choice.h"
#include "fs/crosstable/crosstable_layout.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;

constexpr std::size_t kMaxCrosstableGames = 50'000;

constexpr Tenths points_of(std::uint64_t halves) { return {halves * 5}; }

std::string_view result_field(Result result, Color color) {
  constexpr std::array<std::string_view, 3> kFields = {"0", "1/2", "1"};
  return result == Result::Unknown ? "*" : kFields[half_points(result, color)];
}

constexpr std::uint32_t kNoOpponent = ~std::uint32_t{0};  // in place of an opponent

// A game from the view of one of its players.
struct Side {
  std::uint32_t player = 0;
  std::uint32_t opponent = 0;
  Color color = Color::White;
  Result result = Result::Unknown;
};

// A line of a crosstable: the games of one player against one opponent.
struct Pair {
  std::uint32_t player = 0;
  std::optional<std::uint32_t> opponent{};
  const std::vector<Standing>& players;
  Standing sum{};
  std::string results{};
};

Pair pair_of(const Standings& standings, std::span<const Side> games) {
  Pair pair{.player = games.front().player, .players = standings.players};
  if (games.front().opponent != kNoOpponent) pair.opponent = games.front().opponent;
  for (const Side& game : games) {
    count_game(game.result, game.color, pair.sum);
    if (!pair.results.empty()) pair.results += ' ';
    pair.results += game.color == Color::White ? 'w' : 'b';
    pair.results += result_field(game.result, game.color);
  }
  return pair;
}

constexpr TsvColumns kCrosstable{
    TsvColumn{"rank", [](const Pair& pair) { return pair.player + 1; }},
    TsvColumn{"name",
              [](const Pair& pair) -> std::string_view { return pair.players[pair.player].name; }},
    TsvColumn{"opponent_rank",
              [](const Pair& pair) {
                return pair.opponent.has_value() ? std::optional(*pair.opponent + 1) : std::nullopt;
              }},
    TsvColumn{"opponent",
              [](const Pair& pair, std::string& out) {
                if (pair.opponent.has_value()) out += pair.players[*pair.opponent].name;
              }},
    TsvColumn{"games", [](const Pair& pair) { return pair.sum.games; }},
    TsvColumn{"points", [](const Pair& pair) { return points_of(pair.sum.points); }},
    TsvColumn{"wins", [](const Pair& pair) { return pair.sum.wins; }},
    TsvColumn{"draws", [](const Pair& pair) { return pair.sum.draws; }},
    TsvColumn{"losses", [](const Pair& pair) { return pair.sum.losses; }},
    TsvColumn{"results", [](const Pair& pair) -> std::string_view { return pair.results; }},
};

// A line of the standings.
struct Ranked {
  std::size_t rank = 0;
  const Standing& player;
  TieBreak tie_break{};
  absl::FunctionRef<void(std::uint32_t, std::string&)> append_path;
};

constexpr TsvColumns kStandings{
    TsvColumn{"rank", [](const Ranked& row) { return row.rank + 1; }},
    TsvColumn{"name", [](const Ranked& row) -> std::string_view { return row.player.name; }},
    TsvColumn{"elo", [](const Ranked& row) { return known(row.player.rating.elo()); }},
    TsvColumn{"games", [](const Ranked& row) { return row.player.games; }},
    TsvColumn{"points", [](const Ranked& row) { return points_of(row.player.points); }},
    TsvColumn{"wins", [](const Ranked& row) { return row.player.wins; }},
    TsvColumn{"draws", [](const Ranked& row) { return row.player.draws; }},
    TsvColumn{"losses", [](const Ranked& row) { return row.player.losses; }},
    TsvColumn{"sonneborn_berger",
              [](const Ranked& row) {
                return row.tie_break == TieBreak::SonnebornBerger
                           ? sonneborn_berger_text(row.player.tie_break)
                           : std::string();
              }},
    TsvColumn{"buchholz",
              [](const Ranked& row) {
                return row.tie_break == TieBreak::Buchholz
                           ? std::optional(points_of(row.player.tie_break))
                           : std::nullopt;
              }},
    TsvColumn{"path",
              [](const Ranked& row, std::string& out) { row.append_path(row.player.id, out); }},
};

}  // namespace

std::string standings_tsv(std::span<const CrosstableGame> games,
                          absl::FunctionRef<void(std::uint32_t, std::string&)> append_path) {
  const auto [standings, layout] = rank_event(games);
  const TieBreak tie_break = tie_break_of(layout);
  std::string out = kStandings.header();
  const std::size_t shown = std::min(standings.players.size(), kMaxStandings);
  for (std::size_t rank = 0; rank < shown; ++rank) {
    kStandings.append_row(Ranked{.rank = rank,
                                 .player = standings.players[rank],
                                 .tie_break = tie_break,
                                 .append_path = append_path},
                          out);
  }
  return out;
}

std::string crosstable_tsv(std::span<const CrosstableGame> games) {
  std::string out = kCrosstable.header();
  if (games.size() > kMaxCrosstableGames) return out;
  const Standings standings = rank_event(games).standings;
  std::vector<Side> sides;
  sides.reserve(2 * standings.games.size() + standings.unpaired.size());
  for (const RankedGame& game : standings.games) {
    const Result result = game.game->result;
    sides.push_back({game.white, game.black, Color::White, result});
    sides.push_back({game.black, game.white, Color::Black, result});
  }
  for (const UnpairedGame& game : standings.unpaired) {
    sides.push_back({game.player, kNoOpponent, game.color, game.game->result});
  }
  const auto players_of = [](const Side& side) { return std::pair(side.player, side.opponent); };
  std::ranges::stable_sort(sides, {}, players_of);
  for (auto first = sides.cbegin(), last = first; first != sides.cend(); first = last) {
    last = std::upper_bound(
        first, sides.cend(), players_of(*first),
        [&](const auto& pair, const Side& side) { return pair < players_of(side); });
    kCrosstable.append_row(pair_of(standings, std::span(first, last)), out);
  }
  return out;
}

}  // namespace scidfs::fs
