// Links: moves that no game plays but that lead to positions of the book.
// Source: codec/kvetka/FORMAT.md, section 9, "Links".
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/build/book_sort.h"

namespace scidfs::fs {

// The positions of a book, about 16 bytes each. One thread fills it; then any number of threads may
// use it.
class BookLinks {
 public:
  void add(const codec::kvetka::Key& key) { keys_.insert(hash(key)); }

  // Adds to a position the moves that lead to another position of the book, as moves played in no
  // game.
  void complete(Tally& tally) const;
  // Does the same for many positions, on several threads.
  void complete(std::span<Tally> tallies, unsigned threads) const;

 private:
  static std::uint64_t hash(const codec::kvetka::Key& key);

  // 64-bit hashes: practically no book has a position whose hash collides with a missing one's. If
  // that happened, the book would list a legal move.
  absl::flat_hash_set<std::uint64_t> keys_;
};

}  // namespace scidfs::fs
