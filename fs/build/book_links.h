// Moves that nobody played but that lead to positions of the book.
// Source: codec/kvetka/FORMAT.md, section 9, "Links".
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/build/book_sort.h"

namespace scidfs::fs {

// The positions of a book, about 16 bytes each. Filled by one thread, asked by any number.
class BookLinks {
 public:
  void add(const codec::kvetka::Key& key) { keys_.insert(hash(key)); }

  // Adds to a position, as moves that were played in no game, what leads to another one.
  void complete(Tally& tally) const;
  // The same for many, on several threads.
  void complete(std::span<Tally> tallies, unsigned threads) const;

 private:
  static std::uint64_t hash(const codec::kvetka::Key& key);

  // Of 64 bits: that a position which is not there passes for one that is happens in no book. If it
  // did, a legal move would be listed.
  absl::flat_hash_set<std::uint64_t> keys_;
};

}  // namespace scidfs::fs
