#include "fs/database/game_sizes.h"

#include <algorithm>
#include <cassert>

namespace scidfs::fs {

DeltaList GameSizes::damaged() const {
  if (damaged_.has_value()) return *damaged_;
  DeltaList damaged;
  for (GameIndex game = 0; game < words_.size(); ++game) {
    if (is_damaged(game)) damaged.add(game);
  }
  return damaged;
}

std::uint64_t GameSizes::verified_signatures(GameIndex first, unsigned count) const {
  assert(count <= 64 && std::uint64_t{first} + count <= words_.size());
  std::uint64_t verified = 0;
  for (unsigned i = 0; i < count; ++i) {
    verified |= std::uint64_t{has_verified_signature(first + i)} << i;
  }
  return verified;
}

// Counts the size on the one thread whose exchange succeeds. It counts after storing, with release,
// so that a thread that acquires the count sees all sizes that were counted.
bool GameSizes::record(GameIndex game, std::size_t size, bool damaged,
                       bool has_verified_signature) const {
  const std::uint32_t word = static_cast<std::uint32_t>(size) | (damaged ? kDamagedBit : 0) |
                             (has_verified_signature ? kVerifiedBit : 0);
  std::uint32_t before = this->word(game);
  if (before != 0 || word == 0 || !are_own() ||
      !AtomicWord(words_[game]).compare_exchange_strong(before, word, std::memory_order_relaxed)) {
    // Not every caller that finds a size checks the index signature.
    return without_verified(before) == without_verified(word);
  }
  known_.fetch_add(1, std::memory_order_release);
  // Several threads may see that the table is complete, among them the one that completed it.
  if (on_complete_ != nullptr && complete() && !is_announced_.exchange(true)) on_complete_();
  return true;
}

std::vector<std::uint32_t> GameSizes::words() const {
  std::vector<std::uint32_t> words(words_.size());
  for (GameIndex game = 0; game < words.size(); ++game) words[game] = word(game);
  return words;
}

void GameSizes::adopt(std::vector<std::uint32_t> words) {
  own_ = std::move(words);
  words_ = own_;
  known_ = words_.size() - static_cast<std::size_t>(std::ranges::count(words_, 0U));
}

void GameSizes::adopt_all(std::span<const std::uint32_t> words, DeltaList damaged) {
  own_ = std::vector<std::uint32_t>();  // not {}, which keeps its memory
  words_ = {const_cast<std::uint32_t*>(words.data()), words.size()};
  known_ = words_.size();
  damaged_ = std::move(damaged);
}

}  // namespace scidfs::fs
