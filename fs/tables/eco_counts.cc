#include "fs/tables/eco_counts.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "codec/eco.h"

namespace scidfs::fs {

void EcoCounts::add(unsigned base, std::uint32_t games) {
  assert(base < codec::kEcoBases);
  if (!all_.empty()) {
    all_[base] += games;
    return;
  }
  const auto found = std::ranges::find(few_, base, &Count::base);
  if (found != few_.end()) {
    found->games += games;
    // Moves frequent codes towards the front.
    if (found != few_.begin()) std::swap(*found, *(found - 1));
    return;
  }
  if (few_.size() < kFew) {
    few_.push_back({.base = base, .games = games});
    return;
  }
  all_.resize(codec::kEcoBases);
  for (const Count& count : few_) all_[count.base] = count.games;
  all_[base] = games;
  std::vector<Count>().swap(few_);
}

EcoCounts& EcoCounts::operator+=(const EcoCounts& other) {
  other.for_each([this](unsigned base, std::uint32_t games) { add(base, games); });
  return *this;
}

void EcoCounts::for_each(absl::FunctionRef<void(unsigned, std::uint32_t)> visit) const {
  for (const Count& count : few_) visit(count.base, count.games);
  for (unsigned base = 0; base < all_.size(); ++base) {
    if (all_[base] != 0) visit(base, all_[base]);
  }
}

}  // namespace scidfs::fs
