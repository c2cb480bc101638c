// How near the process is to the memory that its control group may have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace scidfs::fs {

// Pages that are stored in the kernel are charged to who stores them. Opens the files of the
// control groups (cgroups(7), version 1 or 2) when it is made: a confined process cannot later. For
// one thread.
class MemoryLimit {
 public:
  MemoryLimit();
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Whether at least a tenth of what the group may have is left. Looks at every so many calls only.
  bool has_room();

 private:
  static constexpr std::size_t kMostGroups = 16;
  struct Group {
    int limit = -1, used = -1;
  };

  std::array<Group, kMostGroups> groups_{};
  std::size_t count_ = 0;
  std::uint32_t calls_ = 0;
  bool has_room_ = true;
};

}  // namespace scidfs::fs
