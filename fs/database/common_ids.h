// One row of numbers for the items of several databases.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Common ids for the items of some parts, which each part numbers from 0: equal items are one.
// Common ids count the items in the order in which they first appear, part by part, there by id.
// Takes four bytes for each item of a part and four for each common one. Immutable; any number of
// threads may use it.
class CommonIds {
 public:
  // An item of a part.
  struct Place {
    std::uint32_t part = 0;
    std::uint32_t id = 0;
  };

  CommonIds() = default;
  // Numbers the items of parts of these sizes, on the calling thread. `key_of(part, id)` returns
  // the key of an item; equal items have equal keys. Errors: Cancelled.
  template <class Key, class KeyOf>
  static absl::StatusOr<CommonIds> merge(std::span<const std::uint32_t> sizes, const KeyOf& key_of,
                                         const WorkBudget& budget);

  std::size_t parts() const { return ids_.size(); }
  // Returns the number of common ids: 0 .. size()-1.
  std::uint32_t size() const { return static_cast<std::uint32_t>(first_ids_.size()); }
  // Returns the common ids by the id in a part, and at the end size().
  std::span<const std::uint32_t> ids(std::size_t part) const { return ids_[part]; }
  // Returns where a common item appears first. REQUIRES: id < size().
  Place first(std::uint32_t id) const {
    assert(id < size());
    // A part without a new item begins where the next one does.
    const auto next = std::ranges::upper_bound(begins_, id);
    return {.part = static_cast<std::uint32_t>(next - begins_.begin()) - 1, .id = first_ids_[id]};
  }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const {
    std::size_t numbers = first_ids_.capacity() + begins_.capacity();
    for (const std::vector<std::uint32_t>& ids : ids_) numbers += ids.capacity();
    return numbers * sizeof(std::uint32_t) + ids_.capacity() * sizeof(std::vector<std::uint32_t>);
  }

 private:
  std::vector<std::vector<std::uint32_t>> ids_;  // by part
  std::vector<std::uint32_t> first_ids_;         // by common id: the id in the first part
  std::vector<std::uint32_t> begins_;            // by part: the first common id that it has first
};

template <class Key, class KeyOf>
absl::StatusOr<CommonIds> CommonIds::merge(std::span<const std::uint32_t> sizes,
                                           const KeyOf& key_of, const WorkBudget& budget) {
  constexpr std::uint32_t kLook = 1U << 12;  // look at the budget after so many items
  std::size_t items = 0;
  for (const std::uint32_t size : sizes) items += size;
  absl::flat_hash_map<Key, std::uint32_t> id_of;
  id_of.reserve(items);
  CommonIds common;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    common.begins_.push_back(common.size());
    std::vector<std::uint32_t>& ids = common.ids_.emplace_back();
    ids.reserve(sizes[part] + std::size_t{1});
    for (std::uint32_t id = 0; id < sizes[part]; ++id) {
      if (id % kLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
      const auto [found, is_new] = id_of.try_emplace(key_of(part, id), common.size());
      if (is_new) common.first_ids_.push_back(id);
      ids.push_back(found->second);
    }
  }
  for (std::vector<std::uint32_t>& ids : common.ids_) ids.push_back(common.size());
  common.first_ids_.shrink_to_fit();
  return common;
}

}  // namespace scidfs::fs
