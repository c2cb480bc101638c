// How long the texts of a database's games are, which of them tell of damage, and of which games
// the index tells the truth.
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

// What is known so far of something that never changes: it only grows, and any number of threads
// may add to it. Four bytes a game.
class GameSizes {
 public:
  // Nothing is known yet.
  explicit GameSizes(GameIndex games = 0);

  // How many sizes are known, and whether all are.
  std::size_t known() const { return table_->known(); }
  bool complete() const { return table_->complete(); }

  // REQUIRES for all: game < games.
  bool is_known(GameIndex game) const { return table_->get(game) != 0; }
  // The bytes of a game's text.
  std::optional<std::uint32_t> size(GameIndex game) const {
    const std::uint32_t value = table_->get(game);
    if (value == 0) return std::nullopt;
    return value & kSizeBits;
  }
  // Whether the text of a game tells of damage. False if its size is not known.
  bool is_damaged(GameIndex game) const { return (table_->get(game) & kDamagedBit) != 0; }
  // How many of the known ones do.
  std::size_t count_damaged() const;
  // Whether the moves of a game have been found to be as its marks in the index say
  // (codec/scid/index_signature.h). False if that is not known: then the game must be replayed.
  bool has_verified_signature(GameIndex game) const { return (table_->get(game) & kSoundBit) != 0; }
  // The same of up to 64 games from `first` on, bit i for the i-th. REQUIRES: they are there.
  std::uint64_t verified_signatures(GameIndex first, unsigned count) const;

  // Puts a size on record. False if another one is on record, which stays. What is said of the
  // marks counts if the size was not known.
  bool record(GameIndex game, std::size_t size, bool damaged,
              bool has_verified_signature = false) const;

  // To be called once, by whichever thread makes the last size known, after it is. Never, if all
  // are known before record() is first called. To be set before other threads know of this.
  void on_complete(std::function<void()> call) { on_complete_ = std::move(call); }

  // All that is known, in a form that can be kept: 0 means unknown.
  std::vector<std::uint32_t> copy() const { return table_->copy(); }
  // The same of one game; and what is left of it where its marks are other ones.
  std::uint32_t copy(GameIndex game) const { return table_->get(game); }
  static std::uint32_t without_marks(std::uint32_t kept) { return kept & ~kSoundBit; }
  // Puts what copy() gave in the place of what is known. To be called before other threads know of
  // this. REQUIRES: one for each game.
  void adopt(std::vector<std::uint32_t> kept);

  // Bytes of memory that it costs.
  std::size_t memory() const { return table_->count() * sizeof(std::uint32_t); }

 private:
  // Sizes are below 2^30: a record of 128 KiB becomes a few megabytes at most.
  static constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kSoundBit = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kSizeBits = kSoundBit - 1;

  // Of sizes with both bits.
  std::unique_ptr<cache::SizeTable> table_;
  std::function<void()> on_complete_;
  mutable std::atomic<bool> is_announced_ = false;
};

}  // namespace scidfs::fs
