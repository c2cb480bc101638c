#include "fs/database/common_names.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>

#include "fs/content/work_cost.h"

namespace scidfs::fs {

absl::StatusOr<CommonNames> CommonNames::merge(std::vector<const NameTable*> parts,
                                               const WorkBudget& budget) {
  constexpr std::uint32_t kLacking = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint32_t kLook = 1U << 12;  // check the budget after so many names
  CommonNames common(std::move(parts));
  if (common.parts_.size() == 1) return common;
  std::size_t names = 0;
  std::size_t bytes = 0;
  for (const NameTable* const part : common.parts_) {
    names += part->size();
    bytes += part->text_bytes();
  }
  if (!budget.spend(names / kNamesOfGame + bytes / kNameBytesOfGame)) return WorkBudget::exceeded();
  absl::flat_hash_map<std::string_view, std::uint32_t> id_of;
  id_of.reserve(names);
  for (const NameTable* const part : common.parts_) {
    common.begins_.push_back(static_cast<std::uint32_t>(common.first_ids_.size()));
    std::vector<std::uint32_t>& ids = common.ids_.emplace_back();
    ids.reserve(part->size() + std::size_t{1});
    for (std::uint32_t id = 0; id < part->size(); ++id) {
      if (id % kLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
      if (!part->contains(id)) {
        ids.push_back(kLacking);
        continue;
      }
      const auto [found, is_new] =
          id_of.try_emplace(part->text(id), static_cast<std::uint32_t>(common.first_ids_.size()));
      if (is_new) common.first_ids_.push_back(id);
      ids.push_back(found->second);
    }
    ids.push_back(kLacking);
  }
  common.first_ids_.shrink_to_fit();
  for (std::vector<std::uint32_t>& ids : common.ids_) {
    std::ranges::replace(ids, kLacking, common.size());
  }
  return common;
}

std::uint32_t CommonNames::id_of(std::size_t part, std::uint32_t id) const {
  const std::uint32_t own = std::min(id, parts_[part]->size());
  return ids_.empty() ? own : ids_[part][own];
}

std::vector<std::uint32_t> CommonNames::ids_in(std::size_t part, std::uint32_t common) const {
  std::vector<std::uint32_t> found;
  if (ids_.empty()) {
    if (parts_[part]->contains(common)) found.push_back(common);
    return found;
  }
  for (std::uint32_t id = 0; common < size() && id < parts_[part]->size(); ++id) {
    if (ids_[part][id] == common) found.push_back(id);
  }
  return found;
}

std::string_view CommonNames::text(std::uint32_t id) const {
  if (ids_.empty()) return parts_.front()->text(id);
  if (id >= size()) return NameTable::kMissing;
  // A part without a new name begins where the next one does.
  const auto next = std::ranges::upper_bound(begins_, id);
  return parts_[static_cast<std::size_t>(next - begins_.begin()) - 1]->text(first_ids_[id]);
}

std::size_t CommonNames::memory() const {
  std::size_t numbers = first_ids_.capacity() + begins_.capacity();
  for (const std::vector<std::uint32_t>& ids : ids_) numbers += ids.capacity();
  return numbers * sizeof(std::uint32_t) + ids_.capacity() * sizeof(std::vector<std::uint32_t>) +
         parts_.capacity() * sizeof(const NameTable*);
}

}  // namespace scidfs::fs
