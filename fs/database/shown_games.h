// All shown games of a database, with their data in the index.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/scid/index.h"
#include "fs/database/game_list.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {

// Calls visit(game, values) for each shown game from `first`, which begins a block, to `last`-1,
// with its values of some columns.
template <std::size_t kCount, class Visit>
void for_each_shown(const PackedIndex& index, bool leaves_out_deleted, GameIndex first,
                    GameIndex last, const std::array<PackedIndex::Column, kCount>& columns,
                    const Visit& visit) {
  PackedIndex::Values flags{};
  std::array<PackedIndex::Values, kCount> values{};
  std::array<std::uint32_t, kCount> row;
  for (GameIndex begin = first; begin < last; begin += PackedIndex::kBlock) {
    const std::size_t block = begin / PackedIndex::kBlock;
    if (leaves_out_deleted) index.values(block, PackedIndex::Column::Flags, flags);
    for (std::size_t i = 0; i < kCount; ++i) index.values(block, columns[i], values[i]);
    const std::size_t count = std::min<std::size_t>(PackedIndex::kBlock, last - begin);
    for (std::size_t game = 0; game < count; ++game) {
      if (leaves_out_deleted && (flags[game] >> codec::scid::kFlagDeleted & 1) != 0) continue;
      for (std::size_t i = 0; i < kCount; ++i) row[i] = values[i][game];
      visit(static_cast<GameIndex>(begin + game), row);
    }
  }
}

}  // namespace scidfs::fs
