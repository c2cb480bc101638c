#include "fs/positions/position_games.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "codec/scid/board_key.h"
#include "codec/scid/seek.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/stored_index.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;

// Returns whether a game comes to a board by ply kStoredPlies. Errors: those of GameRecords.
absl::StatusOr<bool> comes_early(const Database& database, GameIndex game,
                                 const TargetPosition& board, const WorkBudget& budget) {
  codec::scid::PositionSeeker seeker(board, database.files().format().castling);
  return scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<bool> {
    GameRecords records(database, check, budget);
    bool comes = false;
    RETURN_IF_ERROR(records.for_each(std::array{game}, [&](std::size_t, codec::Bytes record) {
      const auto reached = seeker.seek(record);
      comes = reached.has_value() && reached->ply <= kStoredPlies;
    }));
    return comes;
  });
}

// Returns the games of the list among some, which are ascending.
DeltaList games_among(const GameList& list, const std::vector<GameIndex>& some) {
  DeltaList both;
  if (list.all() != 0) {
    auto next = some.begin();
    const auto add_before = [&](GameIndex end) {
      for (; next != some.end() && *next < end; ++next) both.add(*next);
      if (next != some.end() && *next == end) ++next;
    };
    list.for_each_left_out(add_before);
    add_before(list.all());
    return both;
  }
  GameList::Cursor cursor = list.begin();
  GameIndex game = cursor.next();
  for (const GameIndex wanted : some) {
    while (game < wanted) game = cursor.next();
    if (game == kNoGame) break;
    if (game == wanted) both.add(game);
  }
  return both;
}

}  // namespace

const StoredPositions* stored_positions_of(const Database& database) {
  if (const StoredPositions* const made = database.positions().made()) return made;
  if (!is_worth_storing(database.files(), database.options())) return nullptr;
  const std::shared_ptr<const StoredPositions> found =
      StoredPositions::find(database.files(), database.options());
  if (found == nullptr) return nullptr;
  const auto kept = database.positions().get(
      WorkBudget::unlimited(nullptr),
      [&]() -> absl::StatusOr<Derived<StoredPositions>::Ptr> { return found; });
  return kept.ok() ? *kept : nullptr;
}

absl::StatusOr<std::optional<DeltaList>> games_that_may_come(const Database& database,
                                                             const GameList& games,
                                                             const TargetPosition& target,
                                                             const WorkBudget& budget) {
  const StoredPositions* const stored = stored_positions_of(database);
  if (stored == nullptr) return std::nullopt;
  // A look at all games takes some nanoseconds for each, the file some hundred.
  constexpr std::size_t kWorthwhile = 64;
  const bool is_run = games.all() == 0;  // which is read to its end
  if (!budget.is_unlimited() && is_run) {
    const std::size_t most = (budget.left() + 1) * kMemoryEntriesOfGame;
    if (!budget.spend(games.count(most) / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
  }
  if (!budget.spend(1)) return WorkBudget::exceeded();
  const auto found =
      stored->find(codec::scid::key_of_board(target.position), database.games() / kWorthwhile);
  if (!found.has_value()) return std::nullopt;
  TargetPosition board = target;
  board.with_rights = false;
  for (const StoredPositions::Games& of_board : *found) {
    ASSIGN_OR_RETURN(const bool is_it, comes_early(database, of_board.witness, board, budget));
    if (!is_it) continue;
    std::vector<GameIndex> ascending = of_board.games;
    std::ranges::sort(ascending);
    ascending.erase(std::unique(ascending.begin(), ascending.end()), ascending.end());
    return games_among(games, ascending);
  }
  return std::nullopt;
}

}  // namespace scidfs::fs
