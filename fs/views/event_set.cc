#include "fs/views/event_set.h"

#include <fmt/format.h>

#include <utility>

#include "fs/content/work_cost.h"
#include "fs/crosstable/crosstable_tsv.h"
#include "fs/crosstable/round_order.h"
#include "fs/database/game_content.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using ContentOr = absl::StatusOr<std::unique_ptr<Content>>;

// A database without names of events has one event for all its games. A table of so many would keep
// a request for its size waiting, and would need all of the games in memory at once.
constexpr std::size_t kMaxTableGames = 500'000;

}  // namespace

std::string EventSet::round(std::uint32_t round_id) const {
  return std::string(database().names()[NameKind::Round].text(round_id));
}

EventSet::Player EventSet::player(std::uint32_t name_id, codec::Date) const {
  return {.id = name_id, .name = database().names()[NameKind::Player].text(name_id)};
}

void EventSet::append_path(std::uint32_t id, std::string& out) const {
  append_player_path(database(), id, out);
}

absl::StatusOr<std::optional<EventSet::Played>> EventSet::played(const WorkBudget& budget) const {
  constexpr std::size_t kBetween = std::size_t{1} << 12;  // games between checks for cancellation
  const absl::StatusOr<GameSet> set = games(budget);
  if (!set.ok()) return set.status();
  if (absl::Status status = prepare_tables(budget); !status.ok()) return status;
  if (set->count(kMaxTableGames + 1) > kMaxTableGames) return std::nullopt;
  Played played;
  GameList::Cursor list = set->begin();
  for (GameIndex game = list.next(); game != kNoGame; game = list.next()) {
    if (played.games.size() % kBetween == kBetween - 1) {
      if (!budget.spend(kBetween / kEventEntriesOfGame)) return WorkBudget::exceeded();
      if (budget.is_cancelled()) return WorkBudget::cancelled();
    }
    const codec::scid::GameEntry entry = database().entry(game);
    const auto [round, is_new] = played.rounds.try_emplace(entry.round);
    if (is_new) round->second = this->round(entry.round);
    const Player white = player(entry.white, entry.date);
    const Player black = player(entry.black, entry.date);
    played.games.push_back({.white = white.name,
                            .black = black.name,
                            .white_id = white.id,
                            .black_id = black.id,
                            .white_elo = entry.white_rating.value,
                            .black_elo = entry.black_rating.value,
                            .round = round->second,
                            .result = entry.result,
                            .date = entry.date});
  }
  return played;
}

std::span<const CrosstableGame> EventSet::games_of(const std::optional<Played>& played) {
  if (!played.has_value()) return {};
  return played->games;
}

ContentOr EventSet::open_crosstable(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<Played>> played = this->played(budget);
  if (!played.ok()) return played.status();
  const CrosstableInfo info = heading();
  return std::make_unique<TextContent>(played->has_value()
                                           ? format_crosstable(info, (*played)->games)
                                           : fmt::format("{}\n{}\nmore than {} games: no table\n",
                                                         info.event, info.site, kMaxTableGames));
}

ContentOr EventSet::open_standings_tsv(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<Played>> played = this->played(budget);
  if (!played.ok()) return played.status();
  return std::make_unique<TextContent>(standings_tsv(
      games_of(*played), [&](std::uint32_t id, std::string& out) { append_path(id, out); }));
}

ContentOr EventSet::open_crosstable_tsv(const WorkBudget& budget) const {
  const absl::StatusOr<std::optional<Played>> played = this->played(budget);
  if (!played.ok()) return played.status();
  return std::make_unique<TextContent>(crosstable_tsv(games_of(*played)));
}

ContentOr EventSet::open_games_file(GameSet games, const WorkBudget& budget) const {
  if (!database().options().by_round) return Set::open_games_file(std::move(games), budget);
  if (absl::Status status = prepare_tables(budget); !status.ok()) return status;
  absl::StatusOr<GameOrder> order = order_by_round(
      games, [this](std::uint32_t id) { return round(id); }, budget);
  if (!order.ok()) return order.status();
  return open_games(*std::move(order), budget);
}

}  // namespace scidfs::fs
