#include "fs/database/game_sizes.h"

#include <utility>

namespace scidfs::fs {

GameSizes::GameSizes(GameIndex games) : table_(std::make_unique<cache::SizeTable>(games)) {}

std::size_t GameSizes::count_damaged() const {
  std::size_t damaged = 0;
  for (std::size_t game = 0; game < table_->count(); ++game) {
    damaged += is_damaged(static_cast<GameIndex>(game)) ? 1 : 0;
  }
  return damaged;
}

std::uint64_t GameSizes::verified_signatures(GameIndex first, unsigned count) const {
  std::uint64_t verified = 0;
  for (unsigned i = 0; i < count; ++i) {
    verified |= std::uint64_t{(table_->get(first + i) & kVerifiedBit) != 0} << i;
  }
  return verified;
}

bool GameSizes::record(GameIndex game, std::size_t size, bool damaged,
                       bool has_verified_signature) const {
  const std::uint32_t value = static_cast<std::uint32_t>(size) | (damaged ? kDamagedBit : 0) |
                              (has_verified_signature ? kVerifiedBit : 0);
  // Not every caller that finds a size checks the index signature.
  const auto is_known = [&] { return without_marks(table_->get(game)) == without_marks(value); };
  if (table_->get(game) != 0) return is_known();
  if (!table_->set(game, value)) return is_known();
  // Several threads may see that the table is complete, among them the one that completed it.
  if (on_complete_ != nullptr && complete() && !is_announced_.exchange(true)) on_complete_();
  return true;
}

void GameSizes::adopt(std::vector<std::uint32_t> kept) {
  table_ = std::make_unique<cache::SizeTable>(std::move(kept));
}

}  // namespace scidfs::fs
