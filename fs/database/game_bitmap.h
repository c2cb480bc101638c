// Some games of a database, a bit for each game of the database: the form in which sets are scanned
// and narrowed.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_list.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {

// The games of one block of PackedIndex: game i of the block is bit i % 64 of word i / 64.
using BlockMask = std::array<std::uint64_t, PackedIndex::kBlock / 64>;

// Returns whether a mask has a game of its block.
inline bool is_in(const BlockMask& mask, GameIndex game) {
  constexpr unsigned kWordBits = 64;
  const std::size_t bit = game % PackedIndex::kBlock;
  return (mask[bit / kWordBits] >> bit % kWordBits & 1) != 0;
}

inline std::size_t count_of(const BlockMask& mask) {
  std::size_t count = 0;
  for (const std::uint64_t word : mask) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

// Calls visit(i) for each i whose bit is set, ascending.
template <class Visit>
void for_each_bit(const BlockMask& mask, const Visit& visit) {
  for (std::size_t word = 0; word < mask.size(); ++word) {
    for (std::uint64_t rest = mask[word]; rest != 0; rest &= rest - 1) {
      visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

// A set of games. A value: 16 KiB for each 131,072 games of the database.
class GameBitmap {
 public:
  // Makes an empty set for a database of `games` games.
  explicit GameBitmap(GameIndex games)
      : words_((games + PackedIndex::kBlock - 1) / PackedIndex::kBlock * BlockMask().size()) {}

  // Adds games. REQUIRES: the games are those of the database.
  void add(GameIndex game) {
    assert(game / 64 < words_.size());
    words_[game / 64] |= std::uint64_t{1} << game % 64;
  }
  void add(const GameList& games);
  bool contains(GameIndex game) const { return (words_[game / 64] >> game % 64 & 1) != 0; }
  // Keeps only the games that are in both. REQUIRES: both are of one database.
  GameBitmap& operator&=(const GameBitmap& other);

  std::size_t count() const;
  std::size_t blocks() const { return words_.size() / BlockMask().size(); }
  BlockMask block(std::size_t block) const { return {words_[block * 2], words_[block * 2 + 1]}; }
  // Sets the games of a block. Different threads may set different blocks at once.
  void set_block(std::size_t block, const BlockMask& mask) {
    words_[block * 2] = mask[0];
    words_[block * 2 + 1] = mask[1];
  }
  // Returns the same games as a list.
  DeltaList to_deltas() const;

 private:
  std::vector<std::uint64_t> words_;
};

// Returns the maximum number of threads of scan_blocks().
std::size_t scan_workers(const WorkBudget& budget);

// Calls visit(worker, block, mask) for each block that has games of the set, on at most
// scan_workers() threads. Each thread has its own number `worker` below that, and gets its blocks
// ascending, but adjacent blocks may go to several threads. Returns Cancelled when the budget is
// cancelled, which is checked after a few thousand games. The first failure of a visit ends the
// scan too.
absl::Status scan_blocks(
    const GameBitmap& games, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, const BlockMask& mask)>
        visit);

}  // namespace scidfs::fs
