// What stands in a directory, and where.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <optional>
#include <string>

namespace scidfs::fs {

// What a snapshot calls a directory or a file of its own. Place{} is its directory itself; all other places
// mean what the snapshot says. They are part of inode numbers: 5, 4 and 32 bits.
struct Place {
  std::uint8_t view = 0;
  std::uint8_t level = 0;
  std::uint32_t key = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// A name in a directory.
struct Child {
  std::string name;
  Place place;
  bool is_directory = false;
  // Whether the name leads to this place as long as this snapshot is shown.
  bool is_settled = true;
};

using EmitChild = absl::FunctionRef<bool(Child child, std::uint64_t next)>;

// Emits children of a fixed or computed list: position i is the i-th call of `child_at`, which may
// skip one by returning nothing.
void list_children(std::uint64_t first, std::uint64_t count,
                   absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at, EmitChild emit);

}  // namespace scidfs::fs
