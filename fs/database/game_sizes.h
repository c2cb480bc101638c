// The sizes of the texts of a database's games, which texts report damage, and which games have a
// verified index signature.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cache/sizes.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// What is known so far about the games. A known size never changes: the data only grow, and any
// number of threads may add to them. Four bytes a game.
class GameSizes {
 public:
  // Makes a table in which no size is known.
  explicit GameSizes(GameIndex games = 0);

  // Return how many sizes are known, and whether all are.
  std::size_t known() const { return table_->known(); }
  bool complete() const { return table_->complete(); }

  // REQUIRES for all: game < games.
  bool is_known(GameIndex game) const { return table_->get(game) != 0; }
  // Returns the bytes of a game's text.
  std::optional<std::uint32_t> size(GameIndex game) const {
    const std::uint32_t value = table_->get(game);
    if (value == 0) return std::nullopt;
    return value & kSizeBits;
  }
  // Returns whether the text of a game reports damage. False if its size is not known.
  bool is_damaged(GameIndex game) const { return (table_->get(game) & kDamagedBit) != 0; }
  // Returns how many of the known texts do.
  std::size_t count_damaged() const;
  // Returns whether the moves of a game are known to match its index signature
  // (codec/scid/index_signature.h). If false, the game must be replayed.
  bool has_verified_signature(GameIndex game) const {
    return (table_->get(game) & kVerifiedBit) != 0;
  }
  // Returns the same for up to 64 games from `first` on, bit i for the i-th. REQUIRES: they exist.
  std::uint64_t verified_signatures(GameIndex first, unsigned count) const;

  // Records a size. Returns false if another one is recorded, which stays. `has_verified_signature`
  // counts only if the size was not known.
  bool record(GameIndex game, std::size_t size, bool damaged,
              bool has_verified_signature = false) const;

  // Sets a function that the thread which records the last size calls once afterwards. It is never
  // called if all are known before the first record(). Call this before other threads use the
  // object.
  void on_complete(std::function<void()> call) { on_complete_ = std::move(call); }

  // Returns all known data, in a form that can be saved: 0 means unknown.
  std::vector<std::uint32_t> copy() const { return table_->copy(); }
  // Return the same for one game; and the part of such a value that stays valid if the index
  // signature changes.
  std::uint32_t copy(GameIndex game) const { return table_->get(game); }
  static std::uint32_t without_marks(std::uint32_t kept) { return kept & ~kVerifiedBit; }
  // Replaces the data by the result of copy(). Call this before other threads use the object.
  // REQUIRES: one value for each game.
  void adopt(std::vector<std::uint32_t> kept);

  // Returns the bytes of memory that this takes.
  std::size_t memory() const { return table_->count() * sizeof(std::uint32_t); }

 private:
  // Sizes are below 2^30: a record of 128 KiB becomes a few megabytes at most.
  static constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kVerifiedBit = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kSizeBits = kVerifiedBit - 1;

  // Sizes with both bits.
  std::unique_ptr<cache::SizeTable> table_;
  std::function<void()> on_complete_;
  mutable std::atomic<bool> is_announced_ = false;
};

}  // namespace scidfs::fs
