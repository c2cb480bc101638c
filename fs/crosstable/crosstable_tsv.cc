#include "fs/crosstable/crosstable_tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "fs/crosstable/crosstable_choice.h"
#include "fs/crosstable/crosstable_layout.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;

constexpr std::string_view kStandingsHead =
    "rank\tname\telo\tgames\tpoints\twins\tdraws\tlosses\tsonneborn_berger\tbuchholz\tpath\n";
constexpr std::string_view kCrosstableHead =
    "rank\tname\topponent_rank\topponent\tgames\tpoints\twins\tdraws\tlosses\tresults\n";
constexpr std::size_t kMaxCrosstableGames = 50'000;

// "5.5" of 11 halves.
std::string points_field(std::uint64_t halves) {
  return fmt::format("{}.{}", halves / 2, halves % 2 * 5);
}

std::string_view result_field(Result result, Color color) {
  constexpr std::array<std::string_view, 3> kFields = {"0", "1/2", "1"};
  return result == Result::Unknown ? "*" : kFields[half_points(result, color)];
}

constexpr std::uint32_t kNoOpponent = ~std::uint32_t{0};  // as an opponent

// A game as one of its players sees it.
struct Side {
  std::uint32_t player = 0;
  std::uint32_t opponent = 0;
  Color color = Color::White;
  Result result = Result::Unknown;
};

// Games of one player with one opponent.
void append_pair(const Standings& standings, std::span<const Side> games, std::string& out) {
  Standing sum;
  std::string results;
  for (const Side& game : games) {
    count_game(game.result, game.color, sum);
    if (!results.empty()) results += ' ';
    results += game.color == Color::White ? 'w' : 'b';
    results += result_field(game.result, game.color);
  }
  const auto [player, opponent, color, result] = games.front();
  const bool is_paired = opponent != kNoOpponent;
  fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", player + 1,
                 standings.players[player].name, is_paired ? fmt::to_string(opponent + 1) : "",
                 is_paired ? standings.players[opponent].name : "", sum.games,
                 points_field(sum.points), sum.wins, sum.draws, sum.losses, results);
}

}  // namespace

std::string standings_tsv(std::span<const CrosstableGame> games,
                          absl::FunctionRef<void(std::uint32_t, std::string&)> append_path) {
  const auto [standings, layout] = rank_event(games);
  const TieBreak tie_break = tie_break_of(layout);
  std::string out(kStandingsHead);
  const std::size_t shown = std::min(standings.players.size(), kMaxStandings);
  for (std::size_t rank = 0; rank < shown; ++rank) {
    const Standing& player = standings.players[rank];
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t", rank + 1,
                   player.name, player.elo == 0 ? "" : fmt::to_string(player.elo), player.games,
                   points_field(player.points), player.wins, player.draws, player.losses);
    if (tie_break == TieBreak::SonnebornBerger) out += sonneborn_berger_text(player.tie_break);
    out += '\t';
    if (tie_break == TieBreak::Buchholz) out += points_field(player.tie_break);
    out += '\t';
    append_path(player.id, out);
    out += '\n';
  }
  return out;
}

std::string crosstable_tsv(std::span<const CrosstableGame> games) {
  std::string out(kCrosstableHead);
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
  const auto pair_of = [](const Side& side) { return std::pair(side.player, side.opponent); };
  std::ranges::stable_sort(sides, {}, pair_of);
  for (auto first = sides.cbegin(), last = first; first != sides.cend(); first = last) {
    last =
        std::upper_bound(first, sides.cend(), pair_of(*first),
                         [&](const auto& pair, const Side& side) { return pair < pair_of(side); });
    append_pair(standings, std::span(first, last), out);
  }
  return out;
}

}  // namespace scidfs::fs
