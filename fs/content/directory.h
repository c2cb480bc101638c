// What stands in a directory, and where.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <optional>
#include <string>

namespace scidfs::fs {

// What a view calls a directory or a file of its own. Level 0 with key 0 is the view's directory
// itself; all other levels and keys mean what the view says.
struct Place {
  std::uint8_t level = 0;
  std::uint32_t key = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// A name in a directory of a view.
struct Child {
  std::string name;
  Place place;
  bool is_directory = false;
  // A file that may not show yet, since its size is not known: open() must be asked.
  bool may_be_late = false;
  // The child is the directory of another view (only in the root view).
  std::optional<std::uint8_t> view{};
};

using EmitChild = absl::FunctionRef<bool(Child child, std::uint64_t next)>;

// Emits children of a fixed or computed list: position i is the i-th call of `child_at`, which may
// skip one by returning nothing.
void list_children(std::uint64_t first, std::uint64_t count,
                   absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at, EmitChild emit);

}  // namespace scidfs::fs
