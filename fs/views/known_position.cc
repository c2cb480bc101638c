#include "fs/views/known_position.h"

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <utility>

#include "fs/positions/frequent_tables.h"
#include "fs/positions/notable_tally.h"

namespace scidfs::fs {
namespace {

// Calls visit(part, stored) with what the file of each database with games has of a position.
// Returns false as soon as one does not have it.
bool visit_stored(const Version& version, const codec::TargetPosition& target,
                  absl::FunctionRef<void(std::uint32_t, const StoredPosition&)> visit) {
  for (std::uint32_t part = 0; part < version.parts(); ++part) {
    const Database& database = *version.databases[part];
    if (database.loaded().shown_count() == 0) continue;
    const std::optional<StoredPosition> stored = stored_position(database, target);
    if (!stored.has_value()) return false;
    visit(part, *stored);
  }
  return true;
}

std::shared_ptr<const MoveTable> table_of(MoveTally moves, const codec::TargetPosition& target) {
  return std::make_shared<const MoveTable>(std::move(moves).table(target.position));
}

}  // namespace

std::shared_ptr<const MoveTable> known_table(const Version& version,
                                             const codec::TargetPosition& target) {
  MoveTally moves;
  const bool is_known =
      visit_stored(version, target, [&moves](std::uint32_t part, const StoredPosition& stored) {
        moves.add_part(stored.moves, part);
      });
  return is_known ? table_of(std::move(moves), target) : nullptr;
}

std::optional<KnownPosition> known_position(const Version& version,
                                            const codec::TargetPosition& target) {
  MoveTally moves;
  NotableTally strongest(kTopGames, 0);
  NotableTally newest(0, kRecentGames);
  const bool is_known =
      visit_stored(version, target, [&](std::uint32_t part, const StoredPosition& stored) {
        const PackedIndex& index = version.databases[part]->index();
        moves.add_part(stored.moves, part);
        for (const GameIndex game : stored.strongest) strongest.add(index, {part, game});
        for (const GameIndex game : stored.newest) newest.add(index, {part, game});
      });
  if (!is_known) return std::nullopt;
  return KnownPosition{.table = table_of(std::move(moves), target),
                       .strongest = strongest.strongest(),
                       .newest = newest.newest()};
}

}  // namespace scidfs::fs
