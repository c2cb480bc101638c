#include "fs/file/descriptors.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace scidfs::fs {
namespace {

std::uint64_t reserve_of(std::uint64_t most) {
  constexpr std::uint64_t kMost = 128;
  return std::min(kMost, most / 4);
}

}  // namespace

std::uint64_t most_descriptors() {
  rlimit limit{};
  // Asked each time, which costs far less than opening a file: others may change it (prlimit).
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::uint64_t reserved_descriptors() { return reserve_of(most_descriptors()); }

bool is_in_reserve(int descriptor) {
  const std::uint64_t most = most_descriptors();
  return descriptor >= 0 && static_cast<std::uint64_t>(descriptor) >= most - reserve_of(most);
}

bool is_lack_of_room(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

absl::Status no_room_to_open(std::string_view what, int error) {
  if (error != 0 && error != EMFILE) {
    return absl::ResourceExhaustedError(
        fmt::format("Cannot open {}: {}", what, std::generic_category().message(error)));
  }
  return absl::ResourceExhaustedError(fmt::format(
      "Cannot open {}: too many files are open; this process may have {} (see ulimit -n)", what,
      most_descriptors()));
}

}  // namespace scidfs::fs
