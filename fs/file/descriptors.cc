#include "fs/file/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace scidfs::fs {
namespace {

std::uint64_t reserve_of(std::uint64_t most) {
  constexpr std::uint64_t kMost = 128;
  return std::min(kMost, most / 4);
}

}  // namespace

std::uint64_t most_descriptors() {
  rlimit limit{};
  // Reads the limit each time, since other programs may change it (prlimit). That costs far less
  // than opening a file.
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::uint64_t reserved_descriptors() { return reserve_of(most_descriptors()); }

bool is_in_reserve(int descriptor) {
  const std::uint64_t most = most_descriptors();
  return descriptor >= 0 && static_cast<std::uint64_t>(descriptor) >= most - reserve_of(most);
}

}  // namespace scidfs::fs
