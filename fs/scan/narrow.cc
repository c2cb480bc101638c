#include "fs/scan/narrow.h"

#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

// Up to this many games, a walk through the list costs less than a bit for each game of a large
// database.
constexpr std::size_t kShortList = 2000;
// The number of blocks between two checks of the budget.
constexpr unsigned kBlocksOfLook = 32;

using Keep =
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)>;

absl::StatusOr<DeltaList> narrow_short(const GameList& games, const WorkBudget& budget, Keep keep) {
  DeltaList kept;
  GameList::Cursor cursor = games.begin();
  GameIndex game = cursor.next();
  for (unsigned looked = 0; game != kNoGame; ++looked) {
    if (looked % kBlocksOfLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    const std::size_t block = game / PackedIndex::kBlock;
    BlockMask mask{};
    for (; game != kNoGame && game / PackedIndex::kBlock == block; game = cursor.next()) {
      const std::size_t i = game % PackedIndex::kBlock;
      mask[i / 64] |= std::uint64_t{1} << i % 64;
    }
    RETURN_IF_ERROR(keep(0, block, mask));
    for_each_bit(mask, [&](std::size_t i) {
      kept.add(static_cast<GameIndex>(block * PackedIndex::kBlock + i));
    });
  }
  return kept;
}

}  // namespace

absl::StatusOr<DeltaList> narrow(GameBitmap bits, const WorkBudget& budget, Keep keep) {
  const auto visit = [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
    BlockMask kept = mask;
    absl::Status status = keep(worker, block, kept);
    bits.set_block(block, kept);
    return status;
  };
  RETURN_IF_ERROR(scan_blocks(bits, budget, visit));
  return bits.to_deltas();
}

absl::StatusOr<DeltaList> narrow(const GameList& games, GameIndex of_database,
                                 const WorkBudget& budget, Keep keep) {
  if (games.count(kShortList + 1) <= kShortList) return narrow_short(games, budget, keep);
  GameBitmap bits(of_database);
  bits.add(games);
  return narrow(std::move(bits), budget, keep);
}

}  // namespace scidfs::fs
