// The entries of a directory.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstdint>
#include <optional>
#include <string>

#include "fs/base/inode.h"

namespace scidfs::fs {

// A name in a directory.
struct Child {
  std::string name;
  LocalId place;
  bool is_directory = false;
  // Whether the name leads to this place as long as its snapshot is shown.
  bool is_settled = true;
  // The number of the snapshot whose directory is mounted here, if the child is one; `place` has no
  // meaning then.
  std::optional<std::uint32_t> mounted{};
  // The reason why a valid name leads to nothing; `place` has no meaning then.
  absl::Status refusal{};
};

// Takes a child and the position after it. Returns false to stop.
using EmitChild = absl::FunctionRef<bool(Child child, std::uint64_t next)>;

// Emits the children of a fixed or computed list: position i is the i-th call of `child_at`, which
// may skip one by returning nothing. Always returns Ok.
absl::Status list_children(std::uint64_t first, std::uint64_t count,
                           absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at,
                           EmitChild emit);

}  // namespace scidfs::fs
