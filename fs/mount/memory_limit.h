// Measures how near the process is to the memory limit of its control group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace scidfs::fs {

// The limits of the control groups (cgroups(7), version 1 or 2). The kernel charges stored pages to
// the process that stores them. The constructor opens the files of the groups: a confined process
// cannot later. For one thread.
class MemoryLimit {
 public:
  // `root`: the root folder of the system's files.
  explicit MemoryLimit(const std::filesystem::path& root = "/");
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Returns whether each group has at least a tenth of its limit left, counting the pages of files
  // that have been unused for long as free. Reads the files only in the first of every kEvery
  // calls.
  bool has_room();
  static constexpr std::uint32_t kEvery = 128;

 private:
  static constexpr std::size_t kMostGroups = 16;
  struct Group {
    std::array<int, 3> files{-1, -1, -1};  // the limit, the usage, the kinds of usage
  };

  std::array<Group, kMostGroups> groups_{};
  std::size_t count_ = 0;
  std::uint32_t calls_ = 0;
  bool has_room_ = true;
};

}  // namespace scidfs::fs
