#include "fs/mount/memory_limit.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

struct Place {
  stdfs::path top;    // of the hierarchy
  stdfs::path group;  // below it
  const char* limit;
  const char* used;
};

// The memory controller's hierarchy and this process's place in it.
std::optional<Place> find_place() {
  std::ifstream lines("/proc/self/cgroup");
  std::optional<Place> found;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const stdfs::path group = stdfs::path(line.substr(second + 1)).relative_path();
    if (controllers.find(",memory,") != std::string::npos) {
      return Place{"/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                   "memory.usage_in_bytes"};
    }
    if (controllers == ",,") found = Place{"/sys/fs/cgroup", group, "memory.max", "memory.current"};
  }
  return found;
}

int open_to_read(const stdfs::path& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

// Nothing: there is no limit, or it cannot be read.
std::optional<std::uint64_t> number_in(int file) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  std::string_view number(text.data(), static_cast<std::size_t>(size));
  if (number.ends_with('\n')) number.remove_suffix(1);
  return codec::parse_number<std::uint64_t>(number);
}

}  // namespace

MemoryLimit::MemoryLimit() {
  const std::optional<Place> place = find_place();
  if (!place) return;
  // What a group above may have bounds those below.
  for (stdfs::path group = place->group; count_ < groups_.size(); group = group.parent_path()) {
    const stdfs::path folder = place->top / group;
    Group files{.limit = open_to_read(folder / place->limit),
                .used = open_to_read(folder / place->used)};
    if (files.limit >= 0 && files.used >= 0) {
      groups_[count_++] = files;
    } else {
      if (files.limit >= 0) ::close(files.limit);
      if (files.used >= 0) ::close(files.used);
    }
    if (group.empty()) break;
  }
}

MemoryLimit::~MemoryLimit() {
  for (std::size_t i = 0; i < count_; ++i) {
    ::close(groups_[i].limit);
    ::close(groups_[i].used);
  }
}

bool MemoryLimit::has_room() {
  constexpr std::uint32_t kEvery = 64;
  if (calls_++ % kEvery != 0) return has_room_;
  has_room_ = true;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto limit = number_in(groups_[i].limit);
    const auto used = number_in(groups_[i].used);
    constexpr std::uint64_t kParts = 10;
    if (limit && used && *used > *limit - *limit / kParts) has_room_ = false;
  }
  return has_room_;
}

}  // namespace scidfs::fs
