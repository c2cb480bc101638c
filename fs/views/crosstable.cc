#include "fs/views/crosstable.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codec/date.h"
#include "fs/views/crosstable_layout.h"
#include "fs/views/crosstable_standings.h"

namespace scidfs::fs {
namespace {

using codec::Date;

constexpr std::size_t kMaxMatchGames = 100;
constexpr std::size_t kMaxRoundRobinPlayers = 30;
constexpr std::size_t kMaxPlayers = 1000;  // of any table but that of the points
constexpr std::size_t kMaxRounds = 40;
constexpr std::size_t kMaxGamesInRound = 8;  // of one player
constexpr std::size_t kMaxListedGames = 5000;

// Whether a table by rounds shows what happened: nearly every game has its round, and hardly
// anybody has two opponents in one.
bool is_swiss(const Standings& standings) {
  const auto with_round = static_cast<std::size_t>(std::ranges::count_if(
      standings.games, [](const RankedGame& game) { return game.round.number != 0; }));
  if (with_round * 4 < standings.games.size() * 3) return false;
  const std::vector<std::uint32_t> rounds = round_columns(standings);
  if (rounds.size() > kMaxRounds) return false;

  struct Cell {
    std::uint32_t games = 0;
    std::uint32_t opponent = 0;
    bool crowded = false;
  };
  std::vector<Cell> cells(standings.players.size() * rounds.size());
  const auto add = [&](std::uint32_t player, std::size_t column, std::uint32_t opponent) {
    Cell& cell = cells[player * rounds.size() + column];
    cell.crowded |= cell.games != 0 && cell.opponent != opponent && rounds[column] != 0;
    cell.opponent = opponent;
    ++cell.games;
  };
  for (const RankedGame& game : standings.games) {
    const auto column =
        static_cast<std::size_t>(std::ranges::find(rounds, game.round.number) - rounds.begin());
    add(game.white, column, game.black);
    add(game.black, column, game.white);
  }
  const auto used = std::ranges::count_if(cells, [](const Cell& cell) { return cell.games != 0; });
  const auto crowded = std::ranges::count(cells, true, &Cell::crowded);
  const auto fits = [](const Cell& cell) { return cell.games <= kMaxGamesInRound; };
  return crowded * 10 <= used && std::ranges::all_of(cells, fits);
}

// In a round robin somebody met nearly everybody. Of many only the games of the best are handed
// down; if that is less than half, it may as well be one player's way through an open tournament,
// and only the lack of rounds speaks for a matrix.
bool is_round_robin(const Standings& standings, bool rounds_known) {
  const std::size_t size = standings.players.size();
  if (size > kMaxRoundRobinPlayers) return false;
  std::vector<bool> met(size * size);
  for (const RankedGame& game : standings.games) {
    met[game.white * size + game.black] = true;
    met[game.black * size + game.white] = true;
  }
  std::ptrdiff_t most = 0;
  std::ptrdiff_t all = 0;
  for (auto row = met.begin(); row != met.end(); row += static_cast<std::ptrdiff_t>(size)) {
    const auto opponents = std::count(row, row + static_cast<std::ptrdiff_t>(size), true);
    most = std::max(most, opponents);
    all += opponents;
  }
  const auto others = static_cast<std::ptrdiff_t>(size) - 1;
  if (most * 4 < others * 3) return false;
  return !rounds_known || all * 2 > others * static_cast<std::ptrdiff_t>(size);
}

CrosstableLayout choose_layout(const Standings& standings) {
  const std::size_t players = standings.players.size();
  const std::size_t games = standings.games.size();
  if (players == 2 && games <= kMaxMatchGames) return CrosstableLayout::Match;
  if (players <= 2 || players > kMaxPlayers) return CrosstableLayout::StandingsOnly;
  const bool rounds_known = is_swiss(standings);
  if (is_round_robin(standings, rounds_known)) return CrosstableLayout::RoundRobin;
  if (rounds_known) return CrosstableLayout::Swiss;
  return games <= kMaxListedGames ? CrosstableLayout::GameList : CrosstableLayout::StandingsOnly;
}

constexpr TieBreak tie_break_of(CrosstableLayout layout) {
  switch (layout) {
    case CrosstableLayout::RoundRobin:
      return TieBreak::SonnebornBerger;
    case CrosstableLayout::Swiss:
      return TieBreak::Buchholz;
    default:
      return TieBreak::None;
  }
}

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// "1993.02.23 - 1993.03.14" from the dates that are known best; empty if there are none.
std::string date_range(std::span<const CrosstableGame> games) {
  const auto known_parts = [](Date date) {
    return date.year == 0 ? 0 : date.month == 0 ? 1 : date.day == 0 ? 2 : 3;
  };
  int best = 1;
  for (const CrosstableGame& game : games) best = std::max(best, known_parts(game.date));
  Date first;
  Date last;
  for (const CrosstableGame& game : games) {
    if (known_parts(game.date) != best) continue;
    if (first.empty() || game.date < first) first = game.date;
    last = std::max(last, game.date);
  }
  if (first.empty()) return "";
  if (first == last) return codec::to_string(first);
  return fmt::format("{} - {}", codec::to_string(first), codec::to_string(last));
}

// ", average rating 2676 (category 18)", or how many players have a rating; empty if none has.
std::string rating_text(const Standings& standings, CrosstableLayout layout) {
  constexpr std::uint64_t kFirstCategory = 2251;
  constexpr std::uint64_t kCategoryWidth = 25;
  std::uint64_t sum = 0;
  std::uint64_t rated = 0;
  for (const Standing& player : standings.players) {
    sum += player.elo;
    if (player.elo != 0) ++rated;
  }
  if (rated == 0) return "";
  const std::uint64_t average = (sum + rated / 2) / rated;
  std::string text = fmt::format(", average rating {}", average);
  if (rated < standings.players.size()) {
    text += fmt::format(" ({} rated)", rated);
  } else if (layout == CrosstableLayout::RoundRobin && average >= kFirstCategory) {
    text += fmt::format(" (category {})", (average - kFirstCategory) / kCategoryWidth + 1);
  }
  return text;
}

std::string header(const CrosstableInfo& info, std::span<const CrosstableGame> games,
                   const Standings& standings, CrosstableLayout layout) {
  const auto or_unknown = [](std::string_view text) { return text.empty() ? "?" : text; };
  std::string out = fmt::format("{}\n{}", or_unknown(info.event), or_unknown(info.site));
  const std::string dates = date_range(games);
  if (!dates.empty()) out += ", " + dates;
  out += fmt::format("\n{}, {}", counted(standings.players.size(), "player"),
                     counted(standings.games.size(), "game"));
  const auto unfinished = static_cast<std::size_t>(
      std::ranges::count(standings.games, codec::Result::Unknown,
                         [](const RankedGame& game) { return game.game->result; }));
  if (unfinished != 0) out += fmt::format(" ({} without a result)", unfinished);
  out += rating_text(standings, layout) + '\n';
  if (standings.left_out != 0) {
    out += fmt::format("Left out: {} of a player against himself\n",
                       counted(standings.left_out, "game"));
  }
  return out;
}

}  // namespace

CrosstableLayout crosstable_layout(std::span<const CrosstableGame> games) {
  return choose_layout(collect_standings(games));
}

std::string format_crosstable(const CrosstableInfo& info, std::span<const CrosstableGame> games) {
  Standings standings = collect_standings(games);
  const CrosstableLayout layout = choose_layout(standings);
  rank_players(tie_break_of(layout), standings);

  std::string out = header(info, games, standings, layout);
  if (standings.players.empty()) return out;
  out += '\n';
  switch (layout) {
    case CrosstableLayout::Match:
      write_match(standings, out);
      break;
    case CrosstableLayout::RoundRobin:
      write_round_robin(standings, out);
      break;
    case CrosstableLayout::Swiss:
      write_swiss(standings, out);
      break;
    case CrosstableLayout::GameList:
      write_standings(standings, out);
      out += '\n';
      write_games(standings, out);
      break;
    case CrosstableLayout::StandingsOnly:
      write_standings(standings, out);
      break;
  }
  return out;
}

}  // namespace scidfs::fs
