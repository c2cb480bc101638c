#include "fs/views/event_set.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "fs/crosstable/crosstable_tsv.h"
#include "fs/crosstable/round_order.h"
#include "fs/database/game_content.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using ContentOr = absl::StatusOr<std::unique_ptr<Content>>;

std::span<const CrosstableGame> games_of(const std::optional<EventGames>& played) {
  if (!played.has_value()) return {};
  return played->games;
}

}  // namespace

void EventSet::append_path(std::uint32_t id, std::string& out) const {
  append_player_path(database(), id, out);
}

absl::StatusOr<std::optional<EventGames>> EventSet::played(const WorkBudget& budget) const {
  const absl::StatusOr<GameSets> set = games(budget);
  if (!set.ok()) return set.status();
  return event_games(table_names(), set->only().list(), budget);
}

ContentOr EventSet::open_crosstable(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<EventGames>> played = this->played(budget);
  if (!played.ok()) return played.status();
  const CrosstableInfo info = heading();
  return std::make_unique<TextContent>(played->has_value()
                                           ? format_crosstable(info, (*played)->games)
                                           : fmt::format("{}\n{}\nmore than {} games: no table\n",
                                                         info.event, info.site, kMaxTableGames));
}

ContentOr EventSet::open_standings_tsv(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<EventGames>> played = this->played(budget);
  if (!played.ok()) return played.status();
  return std::make_unique<TextContent>(standings_tsv(
      games_of(*played), [&](std::uint32_t id, std::string& out) { append_path(id, out); }));
}

ContentOr EventSet::open_crosstable_tsv(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<EventGames>> played = this->played(budget);
  if (!played.ok()) return played.status();
  return std::make_unique<TextContent>(crosstable_tsv(games_of(*played)));
}

ContentOr EventSet::open_games_file(const GameSets& games, const WorkBudget& budget) const {
  if (!database().options().by_round) return Set::open_games_file(games, budget);
  const EventNames& names = table_names();
  if (absl::Status status = names.prepare(budget); !status.ok()) return status;
  absl::StatusOr<GameOrder> order = order_by_round(
      games.only(), [&names](std::uint32_t id) { return names.round(id); }, budget);
  if (!order.ok()) return order.status();
  return open_games(*std::move(order), budget);
}

}  // namespace scidfs::fs
