// How large the text of each game is: one number for every game of a database snapshot.
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

  // Records a size; 0 is ignored. False if another size is known already: the table keeps that one,
  // and the caller has found a contradiction. REQUIRES: game < count()
  bool set(std::size_t game, std::uint32_t size);

  // How many sizes are known: get() has each that was counted. If complete(), no get() is 0.
  std::size_t known() const { return known_.load(std::memory_order_acquire); }
  bool complete() const { return known() == count(); }

  // The sizes as they are now; those set meanwhile may be in it or not.
  std::vector<std::uint32_t> copy() const;

 private:
  // Reached through std::atomic_ref only, and therefore mutable: before C++26 there is no
  // atomic_ref of something const.
  mutable std::vector<std::uint32_t> sizes_;

  // On a cache line of its own, since writers change it and readers need the pointer above.
  alignas(64) std::atomic<std::size_t> known_;
};

}  // namespace scidfs::cache
