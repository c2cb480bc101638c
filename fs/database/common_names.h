// One dictionary over those of several databases.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"
#include "fs/database/common_ids.h"

namespace scidfs::fs {

// The names of some dictionaries, the parts, where the same spelling is one name; all unknown names
// are one: empty ones, NameTable::kMissing, and ids that a part lacks. Common ids are those of
// CommonIds. With one part, its ids are the common ones, and nothing is kept. With several, this
// takes four bytes for each name of a part and four for each common one; texts stay where they are.
// Immutable; any number of threads may use it. The parts must outlive it.
class CommonNames {
 public:
  using NameTable = codec::scid::NameTable;

  // Takes the names of one part as they are.
  explicit CommonNames(const NameTable& only) : parts_{&only} {}
  // Looks at all names, on the calling thread. Errors: Unavailable if that exceeds the budget;
  // Cancelled. REQUIRES: there is a part.
  static absl::StatusOr<CommonNames> merge(std::vector<const NameTable*> parts,
                                           const WorkBudget& budget);

  std::size_t parts() const { return parts_.size(); }
  // Returns the number of common ids: 0 .. size()-1.
  std::uint32_t size() const { return parts() == 1 ? parts_.front()->size() : ids_.size(); }
  const NameTable& part(std::size_t part) const { return *parts_[part]; }
  // Returns the common ids by the id in a part, at the end that of ids beyond: size(). Nothing if
  // there is one part.
  std::span<const std::uint32_t> ids(std::size_t part) const {
    return parts() == 1 ? std::span<const std::uint32_t>() : ids_.ids(part);
  }
  // Returns the common id of any id in a part; and the ids in a part of a common id, ascending.
  std::uint32_t id_of(std::size_t part, std::uint32_t id) const;
  std::vector<std::uint32_t> ids_in(std::size_t part, std::uint32_t common) const;
  // Returns a name; NameTable::kMissing for an id that is not there.
  std::string_view text(std::uint32_t id) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the vector holds pointers.
    return ids_.memory() + parts_.capacity() * sizeof(const NameTable*);
  }

 private:
  explicit CommonNames(std::vector<const NameTable*> parts) : parts_(std::move(parts)) {}

  std::vector<const NameTable*> parts_;
  CommonIds ids_;  // none with one part
};

}  // namespace scidfs::fs
