#include "fs/database/decoding.h"

#include <fmt/format.h>

#include <cstdint>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

std::size_t games_of_record(const Database& database, GameIndex game) {
  return games_of_records(1, database.index().value(game, PackedIndex::Column::Length));
}

absl::Status begin_decoding(const Database& database, const GameList& games,
                            const WorkBudget& budget, std::size_t times) {
  RETURN_IF_ERROR(check_shared_records(database, games));
  if (budget.is_unlimited()) return absl::OkStatus();
  DecodingCost cost(budget, times);
  GameList::Cursor rest = games.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    const std::uint32_t bytes = database.index().value(game, PackedIndex::Column::Length);
    if (!cost.add(bytes)) return WorkBudget::exceeded();
  }
  return absl::OkStatus();
}

absl::Status check_shared_records(const Database& database, const GameList& games) {
  if (!database.files().shares_records()) return absl::OkStatus();
  std::uint64_t bytes = 0;
  GameList::Cursor rest = games.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    bytes += database.index().value(game, PackedIndex::Column::Length);
    if (bytes > database.files().most_record_bytes()) {
      return absl::UnimplementedError(fmt::format(
          "{}: so many games share records that no file of all of them is made", database.name()));
    }
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
