// What stands in a directory.
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
  // The child is the directory of another snapshot, which is mounted here under this number;
  // `place` has no meaning then.
  std::optional<std::uint32_t> mounted{};
  // Why a name that is understood leads to nothing; `place` has no meaning then.
  absl::Status refusal{};
};

// Takes a child and where to go on after it; false: no more.
using EmitChild = absl::FunctionRef<bool(Child child, std::uint64_t next)>;

// Emits children of a fixed or computed list: position i is the i-th call of `child_at`, which may
// skip one by returning nothing. Always Ok.
absl::Status list_children(std::uint64_t first, std::uint64_t count,
                           absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at,
                           EmitChild emit);

}  // namespace scidfs::fs
