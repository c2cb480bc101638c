#include "fs/mount/memory_limit.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

struct GroupPlace {
  stdfs::path top;    // of the hierarchy
  stdfs::path group;  // relative to `top`
  std::array<const char*, 3> names;
};

// Returns the memory controller's hierarchy and this process's group in it.
std::optional<GroupPlace> find_place(const stdfs::path& root) {
  std::ifstream lines(root / "proc/self/cgroup");
  std::optional<GroupPlace> found;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const stdfs::path group = stdfs::path(line.substr(second + 1)).relative_path();
    if (controllers.find(",memory,") != std::string::npos) {
      return GroupPlace{.top = root / "sys/fs/cgroup/memory",
                        .group = group,
                        .names = {"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"}};
    }
    if (controllers == ",,") {
      found = GroupPlace{.top = root / "sys/fs/cgroup",
                         .group = group,
                         .names = {"memory.max", "memory.current", "memory.stat"}};
    }
  }
  return found;
}

std::string text_of(int file) {
  std::array<char, 8192> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

// Returns the number at the beginning of a text. Nothing for the word max, which means no limit.
std::optional<std::uint64_t> number_of(std::string_view text) {
  return codec::parse_number<std::uint64_t>(text.substr(0, text.find('\n')));
}

// Returns the bytes of file pages that the kernel can drop.
std::uint64_t dispensable(std::string_view statistics) {
  constexpr std::string_view kKey = "\ninactive_file ";
  const std::size_t at = statistics.find(kKey);
  if (at == std::string_view::npos) return 0;
  return number_of(statistics.substr(at + kKey.size())).value_or(0);
}

void close_all(const std::array<int, 3>& files) {
  for (const int file : files) {
    if (file >= 0) ::close(file);
  }
}

}  // namespace

MemoryLimit::MemoryLimit(const stdfs::path& root) {
  const std::optional<GroupPlace> place = find_place(root);
  if (!place) return;
  // The limit of a group also limits the groups below it.
  for (stdfs::path group = place->group; count_ < groups_.size(); group = group.parent_path()) {
    std::array<int, 3>& files = groups_[count_].files;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const stdfs::path path = place->top / group / place->names[i];
      files[i] = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    }
    if (std::ranges::none_of(files, [](int file) { return file < 0; })) {
      ++count_;
    } else {
      close_all(files);
    }
    if (group.empty()) break;
  }
}

MemoryLimit::~MemoryLimit() {
  for (std::size_t i = 0; i < count_; ++i) close_all(groups_[i].files);
}

bool MemoryLimit::has_room() {
  if (calls_++ % kEvery != 0) return has_room_;
  has_room_ = true;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& [limit_file, used_file, statistics_file] = groups_[i].files;
    const std::optional<std::uint64_t> limit = number_of(text_of(limit_file));
    const std::uint64_t used = number_of(text_of(used_file)).value_or(0);
    constexpr std::uint64_t kTenths = 10;
    if (!limit || used <= *limit - *limit / kTenths) continue;
    const std::uint64_t needed = used - std::min(used, dispensable(text_of(statistics_file)));
    if (needed > *limit - *limit / kTenths) has_room_ = false;
  }
  return has_room_;
}

}  // namespace scidfs::fs
