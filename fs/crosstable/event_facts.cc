#include "fs/crosstable/event_facts.h"

#include <algorithm>
#include <tuple>

#include "fs/crosstable/crosstable_choice.h"

namespace scidfs::fs {

EventDates event_dates(std::span<const CrosstableGame> games) {
  const auto known_parts = [](codec::Date date) {
    return date.year == 0 ? 0 : date.month == 0 ? 1 : date.day == 0 ? 2 : 3;
  };
  int best = 1;
  for (const CrosstableGame& game : games) best = std::max(best, known_parts(game.date));
  EventDates range;
  for (const CrosstableGame& game : games) {
    if (known_parts(game.date) != best) continue;
    if (range.first.empty() || game.date < range.first) range.first = game.date;
    range.last = std::max(range.last, game.date);
  }
  return range;
}

EventRatings event_ratings(const Standings& standings, CrosstableLayout layout) {
  constexpr std::uint64_t kFirstCategory = 2251;
  constexpr std::uint64_t kCategoryWidth = 25;
  EventRatings ratings;
  std::uint64_t sum = 0;
  for (const Standing& player : standings.players) {
    const std::uint16_t elo = player.rating.elo();
    sum += elo;
    if (elo != 0) ++ratings.rated;
  }
  if (ratings.rated == 0) return ratings;
  ratings.average = (sum + ratings.rated / 2) / ratings.rated;
  const bool has_category = ratings.rated == standings.players.size() &&
                            layout == CrosstableLayout::RoundRobin &&
                            ratings.average >= kFirstCategory && nearly_all_have_met(standings);
  if (has_category) ratings.fide_category = (ratings.average - kFirstCategory) / kCategoryWidth + 1;
  return ratings;
}

EventFacts event_facts(std::span<const CrosstableGame> games) {
  const auto [standings, layout] = rank_event(games);
  const auto rank = [](const Standing& player) {
    return std::tuple(player.stage, player.points, player.tie_break);
  };
  const std::span<const Standing> players = standings.players;
  EventFacts facts{.dates = event_dates(games),
                   .players = players.size(),
                   .ratings = event_ratings(standings, layout),
                   .layout = layout,
                   .winner = std::nullopt};
  if (players.size() > 1 && rank(players[0]) != rank(players[1])) {
    facts.winner = {.name = players[0].name, .points = players[0].points};
  }
  return facts;
}

}  // namespace scidfs::fs
