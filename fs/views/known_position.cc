#include "fs/views/known_position.h"

#include <cstdint>
#include <utility>

#include "fs/positions/frequent_tables.h"
#include "fs/positions/notable_tally.h"

namespace scidfs::fs {

std::optional<KnownPosition> known_position(const Version& version,
                                            const codec::TargetPosition& target) {
  MoveTally moves;
  NotableTally strongest(kTopGames, 0);
  NotableTally newest(0, kRecentGames);
  for (std::uint32_t part = 0; part < version.parts(); ++part) {
    const Database& database = *version.databases[part];
    if (database.loaded().shown_count() == 0) continue;
    const std::optional<StoredPosition> stored = stored_position(database, target);
    if (!stored.has_value()) return std::nullopt;
    moves.add_part(stored->moves, part);
    for (const GameIndex game : stored->strongest) strongest.add(database.index(), {part, game});
    for (const GameIndex game : stored->newest) newest.add(database.index(), {part, game});
  }
  return KnownPosition{
      .table = std::make_shared<const MoveTable>(std::move(moves).table(target.position)),
      .strongest = strongest.strongest(),
      .newest = newest.newest()};
}

}  // namespace scidfs::fs
