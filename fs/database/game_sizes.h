// The sizes of the texts of a database's games, which texts report damage, and which games have a
// verified index signature.
//
// One word for each game; 0: nothing is known.
//
//  bits   field     width  meaning
//  31     damaged       1  the text reports damage
//  30     verified      1  the moves match the index signature (codec/scid/index_signature.h)
//  29..0  size         30  bytes of the text: a record of 128 KiB becomes a few megabytes at most
//
// Words are saved between mounts (fs/library/saved_sizes.h): a change of this table requires
// another kWriterVersion (fs/file/fingerprint.cc).
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fs/database/game_list.h"

namespace scidfs::fs {

// What is known so far about the games. A known size never changes: the data only grow, and any
// number of threads may add to them without a lock.
//
// In a const object the files are constant, and so are the sizes that they determine. record() is
// const since it only adds one of these, which every thread would find; it replaces nothing.
class GameSizes {
 public:
  // Makes a table of so many games in which no size is known.
  explicit GameSizes(GameIndex games = 0) : own_(games), words_(own_) {}
  GameSizes(const GameSizes&) = delete;
  GameSizes& operator=(const GameSizes&) = delete;

  // Return how many sizes are known, and whether all are. The calling thread then sees all sizes
  // that were counted: if complete(), each one.
  std::size_t known() const { return known_.load(std::memory_order_acquire); }
  bool complete() const { return known() == words_.size(); }

  // REQUIRES for all: game < games.
  bool is_known(GameIndex game) const { return word(game) != 0; }
  // Returns the bytes of a game's text.
  std::optional<std::uint32_t> size(GameIndex game) const {
    const std::uint32_t word = this->word(game);
    if (word == 0) return std::nullopt;
    return word & kSizeBits;
  }
  // Returns whether the text of a game reports damage. False if its size is not known.
  bool is_damaged(GameIndex game) const { return (word(game) & kDamagedBit) != 0; }
  // Returns whether the text of a game is known and reports no damage: a replay of its moves is
  // then what a walk over them finds.
  bool is_whole(GameIndex game) const { return is_known(game) && !is_damaged(game); }
  // Returns the games whose known texts report damage. Looks at all games unless it was told them.
  DeltaList damaged() const;
  // Returns whether the moves of a game are known to match its index signature. If false, the game
  // must be replayed.
  bool has_verified_signature(GameIndex game) const { return (word(game) & kVerifiedBit) != 0; }
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

  // Returns the word of a game, of all games, and the part of a word that stays valid if the index
  // signature changes. Words recorded meanwhile may be included or not.
  std::uint32_t word(GameIndex game) const {
    assert(game < words_.size());
    return AtomicWord(words_[game]).load(std::memory_order_relaxed);
  }
  std::vector<std::uint32_t> words() const;
  // Returns the words themselves. REQUIRES: all sizes are known, so that none changes any more.
  std::span<const std::uint32_t> all() const {
    assert(complete());
    return words_;
  }
  static std::uint32_t without_verified(std::uint32_t word) { return word & ~kVerifiedBit; }
  // Replaces the table by one of these words, those of words() of any object, one for each game.
  // Call this before other threads use the object.
  void adopt(std::vector<std::uint32_t> words);
  // Does the same with the words of another owner, who outlives this, and damaged() of them. They
  // are never written, and all count as known: of one that is 0, nothing will ever be known.
  void adopt_all(std::span<const std::uint32_t> words, DeltaList damaged);

  // Returns the bytes of memory that this takes.
  std::size_t memory() const { return own_.size() * sizeof(own_[0]); }

 private:
  using AtomicWord = std::atomic_ref<std::uint32_t>;
  static_assert(AtomicWord::is_always_lock_free);
  static_assert(AtomicWord::required_alignment <= alignof(std::uint32_t));

  static constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kVerifiedBit = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kSizeBits = kVerifiedBit - 1;

  bool are_own() const { return words_.data() == own_.data(); }

  std::vector<std::uint32_t> own_;
  // Accessed only through AtomicWord. Before C++26 there is none of a const object.
  std::span<std::uint32_t> words_;
  std::optional<DeltaList> damaged_;  // none: not known
  std::function<void()> on_complete_;

  // On a cache line of their own: writers change them, and readers need the pointer above.
  alignas(64) mutable std::atomic<std::size_t> known_ = 0;
  mutable std::atomic<bool> is_announced_ = false;
};

}  // namespace scidfs::fs
