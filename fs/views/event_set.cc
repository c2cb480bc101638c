#include "fs/views/event_set.h"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/crosstable/crosstable_tsv.h"
#include "fs/crosstable/round_order.h"
#include "fs/database/game_content.h"
#include "fs/tables/event_games.h"

namespace scidfs::fs {
namespace {

using ContentOr = absl::StatusOr<std::unique_ptr<Content>>;

absl::StatusOr<Identities> players_in_tables(const Set& set, const WorkBudget& budget) {
  const Identities::Of of = set.event()->tables_count();
  ASSIGN_OR_RETURN(CommonPlayersPtr players, of == Identities::Of::Persons
                                                 ? players_with_people(set.version(), budget)
                                                 : players_of(set.version(), budget));
  return Identities(std::move(players), of);
}

// The games of an event, with their players.
struct Played {
  Identities who;
  std::optional<EventGames> event;  // nothing: too many games for a table

  std::span<const CrosstableGame> games() const {
    if (!event.has_value()) return {};
    return event->games;
  }
};

absl::StatusOr<Played> played_in(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(Identities who, players_in_tables(set, budget));
  ASSIGN_OR_RETURN(std::optional<EventGames> event, event_games(who, games_by_part(games), budget));
  return Played{.who = std::move(who), .event = std::move(event)};
}

}  // namespace

ContentOr open_crosstable(const Set& set, const WorkBudget& budget) {
  assert(set.event() != nullptr);
  ASSIGN_OR_RETURN(const Played played, played_in(set, budget));
  const CrosstableInfo info = set.event()->heading();
  return std::make_unique<TextContent>(played.event.has_value()
                                           ? format_crosstable(info, played.games())
                                           : fmt::format("{}\n{}\nmore than {} games: no table\n",
                                                         info.event, info.site, kMaxTableGames));
}

ContentOr open_standings_tsv(const Set& set, const WorkBudget& budget) {
  assert(set.event() != nullptr);
  ASSIGN_OR_RETURN(const Played played, played_in(set, budget));
  return std::make_unique<TextContent>(
      standings_tsv(played.games(),
                    [&](std::uint32_t id, std::string& out) { played.who.append_path(id, out); }));
}

ContentOr open_crosstable_tsv(const Set& set, const WorkBudget& budget) {
  assert(set.event() != nullptr);
  ASSIGN_OR_RETURN(const Played played, played_in(set, budget));
  return std::make_unique<TextContent>(crosstable_tsv(played.games()));
}

ContentOr open_event_games(const Set& set, const GameSet& games, const WorkBudget& budget) {
  assert(set.event() != nullptr);
  if (!set.version().options().by_round) return open_games(games, budget);
  ASSIGN_OR_RETURN(const Identities who, players_in_tables(set, budget));
  ASSIGN_OR_RETURN(
      GameOrder order,
      order_by_round(
          games, [&](std::size_t part, std::uint32_t id) { return round_text(who, part, id); },
          budget));
  return open_games(std::move(order), budget);
}

}  // namespace scidfs::fs
