#include "fs/content/directory.h"

#include <utility>

namespace scidfs::fs {

absl::Status list_children(std::uint64_t first, std::uint64_t count,
                           absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at,
                           EmitChild emit) {
  for (std::uint64_t position = first; position < count; ++position) {
    std::optional<Child> child = child_at(position);
    if (child.has_value() && !emit(*std::move(child), position + 1)) break;
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
