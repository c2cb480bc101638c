#include "fs/database/common_names.h"

#include <algorithm>
#include <cassert>

#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/work_cost.h"

namespace scidfs::fs {

absl::StatusOr<CommonNames> CommonNames::merge(std::vector<const NameTable*> parts,
                                               const WorkBudget& budget) {
  assert(!parts.empty());
  CommonNames common(std::move(parts));
  if (common.parts() == 1) return common;
  std::vector<std::uint32_t> sizes;
  std::size_t names = 0;
  std::size_t bytes = 0;
  for (const NameTable* const part : common.parts_) {
    sizes.push_back(part->size());
    names += part->size();
    bytes += part->text_bytes();
  }
  if (!budget.spend(names / kNamesOfGame + bytes / kNameBytesOfGame)) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(CommonIds ids, CommonIds::merge<std::string_view>(
                                      sizes,
                                      [&common](std::size_t part, std::uint32_t id) {
                                        return known_name(common.parts_[part]->text(id));
                                      },
                                      budget));
  common.ids_ = std::move(ids);
  return common;
}

std::uint32_t CommonNames::id_of(std::size_t part, std::uint32_t id) const {
  const std::uint32_t own = std::min(id, parts_[part]->size());
  return parts() == 1 ? own : ids_.ids(part)[own];
}

std::vector<std::uint32_t> CommonNames::ids_in(std::size_t part, std::uint32_t common) const {
  std::vector<std::uint32_t> found;
  if (parts() == 1) {
    if (parts_[part]->contains(common)) found.push_back(common);
    return found;
  }
  for (std::uint32_t id = 0; common < size() && id < parts_[part]->size(); ++id) {
    if (ids_.ids(part)[id] == common) found.push_back(id);
  }
  return found;
}

std::string_view CommonNames::text(std::uint32_t id) const {
  if (parts() == 1) return parts_.front()->text(id);
  if (id >= size()) return NameTable::kMissing;
  const CommonIds::Place first = ids_.first(id);
  return parts_[first.part]->text(first.id);
}

}  // namespace scidfs::fs
