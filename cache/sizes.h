// The size of the text of each game: one number for every game of a database snapshot.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scidfs::cache {

// The sizes in bytes of the texts of all games, by game index from 0; 0 = not known yet. A size
// that is known never changes. Thread-safe and lock-free. Four bytes a game.
class SizeTable {
 public:
  explicit SizeTable(std::size_t count);

  // Takes over sizes that were loaded, without a copy; some of them may be 0.
  explicit SizeTable(std::vector<std::uint32_t> sizes);

  SizeTable(const SizeTable&) = delete;
  SizeTable& operator=(const SizeTable&) = delete;

  std::size_t count() const { return sizes_.size(); }

  // REQUIRES: game < count()
  std::uint32_t get(std::size_t game) const;

  // Records a size; ignores 0. Returns false if another size is known already: the table keeps that
  // one, and the caller has found a contradiction. REQUIRES: game < count()
  bool set(std::size_t game, std::uint32_t size);

  // Returns how many sizes are known. get() then returns every size that was counted; if
  // complete(), it never returns 0.
  std::size_t known() const { return known_.load(std::memory_order_acquire); }
  bool complete() const { return known() == count(); }

  // Returns a copy of the current sizes; sizes set meanwhile may be included or not.
  std::vector<std::uint32_t> copy() const;

 private:
  // Accessed only through std::atomic_ref, and therefore mutable: before C++26 there is no
  // atomic_ref of a const object.
  mutable std::vector<std::uint32_t> sizes_;

  // On a cache line of its own, since writers change it and readers need the pointer above.
  alignas(64) std::atomic<std::size_t> known_;
};

}  // namespace scidfs::cache
