#include "fs/crosstable/crosstable_choice.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "fs/crosstable/crosstable_knockout.h"
#include "fs/crosstable/crosstable_layout.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kMaxMatchGames = 100;
constexpr std::size_t kMaxRoundRobinPlayers = 30;
constexpr std::size_t kMaxPlayers = 1000;  // of any layout but StandingsOnly
constexpr std::size_t kMaxRounds = 40;
constexpr std::size_t kMaxGamesInRound = 8;  // of one player
constexpr std::size_t kMaxListedGames = 5000;

// Returns whether a table by rounds suits the event: nearly every game has a round, and hardly any
// player has two opponents in one.
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

// The number of games of each pair of a few players, by two indices of players.
class Meetings {
 public:
  explicit Meetings(const Standings& standings)
      : players_(standings.players.size()), games_(players_ * players_) {
    for (const RankedGame& game : standings.games) {
      ++games_[game.white * players_ + game.black];
      ++games_[game.black * players_ + game.white];
    }
  }

  std::size_t players() const { return players_; }
  // Returns the games with each of the players; 0 with the player itself.
  std::span<const std::uint32_t> of(std::size_t player) const {
    return std::span(games_).subspan(player * players_, players_);
  }
  // Returns how many opponents a player has met.
  std::size_t opponents(std::size_t player) const {
    const std::span<const std::uint32_t> games = of(player);
    return games.size() - static_cast<std::size_t>(std::ranges::count(games, 0U));
  }
  // Returns whether more than half of the pairs have met.
  bool most_have_met() const { return met() * 2 > players_ * (players_ - 1); }
  // Returns whether hardly a pair has not met: one of twenty at most.
  bool nearly_all_have_met() const {
    constexpr std::size_t kPairsOfOneMissing = 20;
    const std::size_t all = players_ * (players_ - 1);
    return (all - met()) * kPairsOfOneMissing <= all;
  }

 private:
  // Returns twice the number of pairs that have met.
  std::size_t met() const {
    std::size_t all = 0;
    for (std::size_t player = 0; player < players_; ++player) all += opponents(player);
    return all;
  }

  std::size_t players_;
  std::vector<std::uint32_t> games_;
};

// Returns whether the event is a round robin, in which at least one player met nearly all others.
// Databases often have only the best players' games of an event. If less than half of the pairs
// met, the games may also be those of one player in an open tournament; then only missing rounds
// suggest a matrix.
bool is_round_robin(const Standings& standings, bool rounds_known) {
  const std::size_t size = standings.players.size();
  if (size > kMaxRoundRobinPlayers) return false;
  const Meetings meetings(standings);
  std::size_t most = 0;
  for (std::size_t player = 0; player < size; ++player) {
    most = std::max(most, meetings.opponents(player));
  }
  if (most * 4 < (size - 1) * 3) return false;
  return !rounds_known || meetings.most_have_met();
}

// Returns whether all games are those of one player: a simultaneous display, or this player's games
// of any event.
bool is_display(const Standings& standings) {
  const auto has_all = [&](std::uint32_t player) {
    return std::ranges::all_of(standings.games, [player](const RankedGame& game) {
      return game.white == player || game.black == player;
    });
  };
  return !standings.games.empty() &&
         (has_all(standings.games[0].white) || has_all(standings.games[0].black));
}

}  // namespace

CrosstableLayout choose_layout(const Standings& standings) {
  const std::size_t players = standings.players.size();
  const std::size_t games = standings.games.size();
  if (players == 2 && games <= kMaxMatchGames) return CrosstableLayout::Match;
  if (players <= 2 || players > kMaxPlayers) return CrosstableLayout::StandingsOnly;
  if (find_knockout(standings).has_value()) return CrosstableLayout::Knockout;
  if (!is_display(standings)) {
    const bool rounds_known = is_swiss(standings);
    if (is_round_robin(standings, rounds_known)) return CrosstableLayout::RoundRobin;
    if (rounds_known) return CrosstableLayout::Swiss;
  }
  return games <= kMaxListedGames ? CrosstableLayout::GameList : CrosstableLayout::StandingsOnly;
}

TieBreak tie_break_of(CrosstableLayout layout) {
  switch (layout) {
    case CrosstableLayout::RoundRobin:
      return TieBreak::SonnebornBerger;
    case CrosstableLayout::Swiss:
      return TieBreak::Buchholz;
    default:
      return TieBreak::None;
  }
}

RankedEvent rank_event(std::span<const CrosstableGame> games) {
  RankedEvent event{.standings = collect_standings(games)};
  event.layout = choose_layout(event.standings);
  if (event.layout == CrosstableLayout::Knockout) {
    set_stages(*find_knockout(event.standings), event.standings);
  }
  rank_players(tie_break_of(event.layout), event.standings);
  return event;
}

bool nearly_all_have_met(const Standings& standings) {
  return Meetings(standings).nearly_all_have_met();
}

MissingGames missing_games(const Standings& standings) {
  const Meetings meetings(standings);
  if (!meetings.most_have_met()) return {};
  std::map<std::uint32_t, std::size_t> pairs_of;  // by number of games of the pair
  for (std::size_t player = 0; player < meetings.players(); ++player) {
    for (const std::uint32_t games : meetings.of(player).first(player)) ++pairs_of[games];
  }
  // Games of three or four players are usually part of a larger event.
  constexpr std::size_t kFewPlayers = 4;
  if (meetings.players() < kFewPlayers) return {};
  if (meetings.players() == kFewPlayers && pairs_of[0] > 1) return {};
  MissingGames missing;
  std::size_t most = 0;
  for (const auto& [games, pairs] : pairs_of) {
    if (games == 0 || pairs <= most) continue;
    most = pairs;
    missing.cycles = games;
  }
  for (const auto& [games, pairs] : pairs_of) {
    if (games < missing.cycles) missing.games += pairs * (missing.cycles - games);
  }
  return missing;
}

}  // namespace scidfs::fs
