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

bool GameSizes::record(GameIndex game, std::size_t size, bool damaged) const {
  const auto value = static_cast<std::uint32_t>(size) | (damaged ? kDamagedBit : 0);
  if (const std::uint32_t known = table_->get(game); known != 0) return known == value;
  if (!table_->set(game, value)) return false;
  // Several threads may see that it is complete; the one that made it so is among them.
  if (on_complete_ != nullptr && complete() && !is_announced_.exchange(true)) on_complete_();
  return true;
}

void GameSizes::adopt(std::vector<std::uint32_t> kept) {
  table_ = std::make_unique<cache::SizeTable>(std::move(kept));
}

}  // namespace scidfs::fs
