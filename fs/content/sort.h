// Sorting that stops when the request is cancelled.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Sorts, as std::sort does, and checks the budget periodically. Returns Cancelled; then the values
// are in any order.
template <class Value, class Less = std::less<>>
absl::Status sort_while_wanted(std::span<Value> all, const WorkBudget& budget,
                               const Less& less = {}) {
  constexpr std::size_t kRun = std::size_t{1} << 16;
  const auto at = [&](std::size_t place) {
    return all.begin() + static_cast<std::ptrdiff_t>(std::min(place, all.size()));
  };
  for (std::size_t begin = 0; begin < all.size(); begin += kRun) {
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    std::sort(at(begin), at(begin + kRun), less);
  }
  for (std::size_t width = kRun; width < all.size(); width *= 2) {
    for (std::size_t begin = 0; begin + width < all.size(); begin += 2 * width) {
      if (budget.is_cancelled()) return WorkBudget::cancelled();
      std::inplace_merge(at(begin), at(begin + width), at(begin + 2 * width), less);
    }
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
