#include "fs/positions/frequent_tables.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/positions/board_pass.h"
#include "fs/positions/position_games.h"
#include "fs/positions/target_scan.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;
using codec::scid::BoardKey;

// Where a game comes to a board: the one after whose moves most games do so.
struct Example {
  std::uint32_t alike = 0;  // how many; 0: none is known
  std::uint32_t rank = 0;
  std::uint32_t ply = 0;

  friend bool operator<(const Example& a, const Example& b) {
    return a.alike != b.alike ? a.alike < b.alike : a.rank > b.rank;
  }
};

// Returns an example of each board.
absl::StatusOr<std::vector<Example>> find_examples(const Database& database,
                                                   const OpeningOrder& order,
                                                   std::span<const BoardKey> boards,
                                                   const WorkBudget& budget) {
  absl::flat_hash_map<BoardKey, std::size_t> places;
  for (std::size_t i = 0; i < boards.size(); ++i) places.emplace(boards[i], i);
  std::vector<std::vector<Example>> found(scan_workers(budget));
  RETURN_IF_ERROR(visit_boards(
      database, order, PassPlies::First, GameFile::Check::Later, budget,
      [&](std::size_t worker, std::uint32_t rank, std::uint32_t ply, BoardKey key) {
        const auto place = places.find(key);
        if (place == places.end()) return;
        found[worker].resize(boards.size());
        const Example example{.alike = order.is_in_order(rank) ? order.count_alike(rank, ply) : 1,
                              .rank = rank,
                              .ply = ply};
        Example& best = found[worker][place->second];
        best = std::max(best, example);
      },
      [](std::size_t, std::uint32_t) {}));
  std::vector<Example> best(boards.size());
  for (const std::vector<Example>& of_worker : found) {
    for (std::size_t i = 0; i < of_worker.size(); ++i) best[i] = std::max(best[i], of_worker[i]);
  }
  return best;
}

// Returns the positions of examples.
absl::StatusOr<std::vector<codec::Position>> positions_of(const Database& database,
                                                          const OpeningOrder& order,
                                                          std::span<const Example> examples,
                                                          const WorkBudget& budget) {
  GameRecords records(database, GameFile::Check::Later, budget);
  codec::scid::Walker walker;
  std::vector<codec::Position> positions;
  for (const Example& example : examples) {
    if (example.alike == 0) continue;
    RETURN_IF_ERROR(records.for_each_game(
        std::array{order.games[example.rank]},
        [&](std::size_t, codec::Bytes record, const codec::scid::RecordHead& head) {
          walk_positions(walker, record, record, head,
                         [&](std::uint32_t ply, const codec::Position& position) {
                           if (ply == example.ply) positions.push_back(position);
                         });
        }));
  }
  return positions;
}

}  // namespace

absl::Status count_frequent(
    const Database& database, const OpeningOrder& order, std::span<const BoardKey> boards,
    const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::string_view name, const MoveTally& tally)> add) {
  // Each thread has a tally of one or two kilobytes for each.
  constexpr std::size_t kTargetsOfScan = 16'384;
  ASSIGN_OR_RETURN(const std::vector<Example> examples,
                   find_examples(database, order, boards, budget));
  ASSIGN_OR_RETURN(const std::vector<codec::Position> positions,
                   positions_of(database, order, examples, budget));
  GameBitmap shown(database.games());
  shown.add(database.shown());
  for (const bool with_rights : {false, true}) {
    for (std::size_t first = 0; first < positions.size(); first += kTargetsOfScan) {
      std::vector<TargetPosition> targets;
      const std::size_t count = std::min(kTargetsOfScan, positions.size() - first);
      for (const codec::Position& position : std::span(positions).subspan(first, count)) {
        targets.push_back({.position = position, .with_rights = with_rights});
      }
      ASSIGN_OR_RETURN(const std::vector<MoveTally> tallies,
                       count_moves(database, 0, shown, targets, budget));
      for (std::size_t i = 0; i < targets.size(); ++i) {
        RETURN_IF_ERROR(add(codec::position_name(targets[i]), tallies[i]));
      }
    }
  }
  return absl::OkStatus();
}

std::shared_ptr<const MoveTable> stored_table(const Database& database,
                                              const TargetPosition& target) {
  const StoredPositions* const stored = stored_positions_of(database);
  if (stored == nullptr) return nullptr;
  const auto bytes = stored->table(codec::position_name(target));
  if (!bytes.has_value()) return nullptr;
  std::optional<MoveTally> tally = MoveTally::read(*bytes, database.games(), target.position);
  if (!tally.has_value()) return nullptr;
  return std::make_shared<const MoveTable>((*std::move(tally)).table(target.position));
}

}  // namespace scidfs::fs
