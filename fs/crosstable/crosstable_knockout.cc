#include "fs/crosstable/crosstable_knockout.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace scidfs::fs {
namespace {

using codec::Color;
using Match = KnockoutMatch;
using Stage = KnockoutStage;

constexpr std::size_t kLeastPlayers = 4;
constexpr std::size_t kMaxGamesOfPair = 30;
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

// The matches of a stage by player.
class Pairs {
 public:
  explicit Pairs(std::size_t players) : match_of_(players, kNobody) {}

  // Returns kNobody if the player does not play.
  std::size_t match_of(std::uint32_t player) const { return match_of_[player]; }
  bool plays(std::uint32_t player) const { return match_of(player) != kNobody; }
  void set(const Match& match, std::size_t number) {
    match_of_[match.winner] = match_of_[match.loser] = number;
  }

 private:
  std::vector<std::size_t> match_of_;
};

Pairs pairs_of(const Stage& stage, std::size_t players) {
  Pairs pairs(players);
  for (std::size_t i = 0; i < stage.matches.size(); ++i) pairs.set(stage.matches[i], i);
  return pairs;
}

// Returns the points in halves.
std::uint64_t points_of(const Standings& standings, const Match& match, std::uint32_t player) {
  std::uint64_t points = 0;
  for (const std::size_t index : match.games) {
    const RankedGame& game = standings.games[index];
    points += half_points(game.game->result, game.white == player ? Color::White : Color::Black);
  }
  return points;
}

void put_leader_first(const Standings& standings, Match& match) {
  if (points_of(standings, match, match.loser) > points_of(standings, match, match.winner)) {
    std::swap(match.winner, match.loser);
  }
}

bool is_even(const Standings& standings, const Match& match) {
  return points_of(standings, match, match.winner) == points_of(standings, match, match.loser);
}

// Returns the games of one round as matches; nothing if a player has two opponents.
std::optional<Stage> matches_of_round(const Standings& standings, std::size_t first,
                                      std::size_t last) {
  const std::uint32_t round = standings.games[first].round.number;
  Stage stage{.first_round = round, .last_round = round, .matches = {}};
  Pairs pairs(standings.players.size());
  for (std::size_t i = first; i < last; ++i) {
    const RankedGame& game = standings.games[i];
    const std::size_t known = pairs.match_of(game.white);
    if (known != pairs.match_of(game.black)) return std::nullopt;
    if (known == kNobody) {
      stage.matches.push_back({.winner = game.white, .loser = game.black, .games = {i}});
      pairs.set(stage.matches.back(), stage.matches.size() - 1);
    } else {
      stage.matches[known].games.push_back(i);
    }
  }
  return stage;
}

// Adds the games of a later round if all its pairs are pairs of the stage. Returns false if there
// are others.
bool merge(const Stage& round, std::size_t players, Stage& stage) {
  const Pairs pairs = pairs_of(stage, players);
  const auto is_known = [&](const Match& match) {
    return pairs.plays(match.winner) && pairs.match_of(match.winner) == pairs.match_of(match.loser);
  };
  if (!std::ranges::all_of(round.matches, is_known)) return false;
  for (const Match& match : round.matches) {
    std::vector<std::size_t>& games = stage.matches[pairs.match_of(match.winner)].games;
    games.insert(games.end(), match.games.begin(), match.games.end());
  }
  stage.last_round = round.last_round;
  return true;
}

// Returns all games by rounds, without a test whether they are a knockout.
std::optional<std::vector<Stage>> stages_of(const Standings& standings) {
  std::vector<Stage> stages;
  const std::vector<RankedGame>& games = standings.games;
  for (std::size_t first = 0, last = 0; first < games.size(); first = last) {
    while (last < games.size() && games[last].round.number == games[first].round.number) ++last;
    std::optional<Stage> round = matches_of_round(standings, first, last);
    if (!round.has_value()) return std::nullopt;
    if (stages.empty() || !merge(*round, standings.players.size(), stages.back())) {
      stages.push_back(*std::move(round));
    }
  }
  return stages;
}

// Returns whether the last stage has both a final and a match of the losers of the stage before.
// Puts the final first.
bool has_match_for_third(const Standings& standings, Stage& before, Stage& last) {
  if (before.matches.size() != 2 || last.matches.size() != 2) return false;
  for (Match& match : before.matches) {
    put_leader_first(standings, match);
    if (is_even(standings, match)) return false;
  }
  const Pairs pairs = pairs_of(last, standings.players.size());
  const Match& one = before.matches[0];
  const Match& other = before.matches[1];
  const std::size_t final = pairs.match_of(one.winner);
  const std::size_t third = pairs.match_of(one.loser);
  if (final == kNobody || third == kNobody || final == third) return false;
  if (pairs.match_of(other.winner) != final || pairs.match_of(other.loser) != third) return false;
  if (final != 0) std::swap(last.matches[0], last.matches[1]);
  return true;
}

// Returns whether exactly one player of each pair advances, and has not lost; puts that player
// first.
bool settle_winners(const Standings& standings, const Stage& next, Stage& stage) {
  const Pairs pairs = pairs_of(next, standings.players.size());
  return std::ranges::all_of(stage.matches, [&](Match& match) {
    if (pairs.plays(match.winner) == pairs.plays(match.loser)) return false;
    if (pairs.plays(match.loser)) std::swap(match.winner, match.loser);
    return points_of(standings, match, match.winner) >= points_of(standings, match, match.loser);
  });
}

// Returns how many players of a stage were in none before; nothing if one of them was already out.
std::optional<std::size_t> count_new(const Stage& stage, std::size_t number,
                                     std::vector<std::size_t>& last_stage_of) {
  std::size_t count = 0;
  for (const Match& match : stage.matches) {
    for (const std::uint32_t player : {match.winner, match.loser}) {
      std::size_t& last = last_stage_of[player];
      if (last == kNobody) {
        ++count;
      } else if (last + 1 != number) {
        return std::nullopt;
      }
      last = number;
    }
  }
  return count;
}

// Sorts the matches of a stage by their winners' matches in the next one.
void order_as_bracket(const Stage& next, std::size_t players, Stage& stage) {
  std::vector<std::size_t> place(players, kNobody);
  for (std::size_t i = 0; i < next.matches.size(); ++i) {
    place[next.matches[i].winner] = 2 * i;
    place[next.matches[i].loser] = 2 * i + 1;
  }
  std::ranges::stable_sort(stage.matches, {},
                           [&place](const Match& match) { return place[match.winner]; });
}

}  // namespace

std::optional<std::vector<Stage>> find_knockout(const Standings& standings) {
  const std::size_t players = standings.players.size();
  if (players < kLeastPlayers || standings.games.size() > players * kMaxGamesOfPair) {
    return std::nullopt;
  }
  const auto has_no_round = [](const RankedGame& game) { return game.round.number == 0; };
  if (std::ranges::any_of(standings.games, has_no_round)) return std::nullopt;
  std::optional<std::vector<Stage>> found = stages_of(standings);
  if (!found.has_value() || found->size() < 2) return std::nullopt;

  std::vector<Stage>& stages = *found;
  Stage& last = stages.back();
  Stage& before_last = stages[stages.size() - 2];
  const bool for_third = stages.size() > 2 && has_match_for_third(standings, before_last, last);
  if (!for_third && last.matches.size() != 1) return std::nullopt;
  bool has_several = false;
  bool has_single = false;
  bool has_draws = false;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool is_last = i + 1 == stages.size();
    for (const Match& match : stages[i].matches) {
      if (match.games.size() > kMaxGamesOfPair) return std::nullopt;
      (match.games.size() > 1 ? has_several : has_single) = true;
      has_draws |= !is_last && is_even(standings, match);
    }
    if (is_last || (for_third && i + 2 == stages.size())) continue;
    if (stages[i].matches.size() <= stages[i + 1].matches.size()) return std::nullopt;
    if (!settle_winners(standings, stages[i + 1], stages[i])) return std::nullopt;
  }

  std::vector<std::size_t> last_stage_of(players, kNobody);
  bool has_new = false;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::optional<std::size_t> count = count_new(stages[i], i, last_stage_of);
    if (!count.has_value() || (i + 1 == stages.size() && *count != 0)) return std::nullopt;
    has_new |= i != 0 && *count != 0;
  }
  if (has_single && stages.size() < 3) return std::nullopt;
  if (!has_several && (has_new || has_draws)) return std::nullopt;

  for (Match& match : last.matches) put_leader_first(standings, match);
  for (std::size_t i = stages.size() - 1; i > 0; --i) {
    order_as_bracket(stages[i], players, stages[i - 1]);
  }
  return found;
}

void set_stages(const std::vector<Stage>& stages, Standings& standings) {
  // Leaves numbers between two stages for the match for third place.
  constexpr std::uint32_t kStep = 4;
  std::uint32_t stage = 0;
  for (const auto& [first_round, last_round, matches] : stages) {
    stage += kStep;
    for (const Match& match : matches) {
      const bool for_third = &matches == &stages.back().matches && &match != &matches.front();
      standings.players[match.winner].stage = for_third ? stage - 1 : stage + 1;
      standings.players[match.loser].stage = for_third ? stage - 2 : stage;
    }
  }
}

}  // namespace scidfs::fs
