// How near the process is to the memory that its control group may have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace scidfs::fs {

// Pages that are stored in the kernel are charged to who stores them. Opens the files of the
// control groups (cgroups(7), version 1 or 2) when it is made: a confined process cannot later. For
// one thread.
class MemoryLimit {
 public:
  // `root` is where the system's files are.
  explicit MemoryLimit(const std::filesystem::path& root = "/");
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Whether at least a tenth of what each group may have is left, or can be had by dropping pages
  // of files that nobody has looked at for long. Looks at the first of every kEvery calls only.
  bool has_room();
  static constexpr std::uint32_t kEvery = 128;

 private:
  static constexpr std::size_t kMostGroups = 16;
  struct Group {
    std::array<int, 3> files{-1, -1, -1};  // the limit, what is used, and of what kinds that is
  };

  std::array<Group, kMostGroups> groups_{};
  std::size_t count_ = 0;
  std::uint32_t calls_ = 0;
  bool has_room_ = true;
};

}  // namespace scidfs::fs
