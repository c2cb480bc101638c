#include "cache/sizes.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace scidfs::cache {
namespace {

using AtomicSize = std::atomic_ref<std::uint32_t>;
static_assert(AtomicSize::is_always_lock_free);
static_assert(AtomicSize::required_alignment <= alignof(std::uint32_t));

std::size_t count_known(const std::vector<std::uint32_t>& sizes) {
  return sizes.size() - static_cast<std::size_t>(std::ranges::count(sizes, 0U));
}

}  // namespace

SizeTable::SizeTable(std::size_t count) : sizes_(count), known_(0) {}

SizeTable::SizeTable(std::vector<std::uint32_t> sizes)
    : sizes_(std::move(sizes)), known_(count_known(sizes_)) {}

std::uint32_t SizeTable::get(std::size_t game) const {
  assert(game < count());
  return AtomicSize(sizes_[game]).load(std::memory_order_relaxed);
}

// Counts the size on the one thread whose exchange succeeds. It counts after storing, with release,
// so that a thread that acquires the count sees all sizes that were counted.
bool SizeTable::set(std::size_t game, std::uint32_t size) {
  assert(game < count());
  if (size == 0) return true;
  std::uint32_t before = 0;
  if (AtomicSize(sizes_[game]).compare_exchange_strong(before, size, std::memory_order_relaxed)) {
    known_.fetch_add(1, std::memory_order_release);
    return true;
  }
  return before == size;
}

std::vector<std::uint32_t> SizeTable::copy() const {
  std::vector<std::uint32_t> sizes(count());
  for (std::size_t game = 0; game < sizes.size(); ++game) sizes[game] = get(game);
  return sizes;
}

}  // namespace scidfs::cache
