#include "fs/mount/request_counters.h"

#include <fmt/format.h>

#include <string_view>

namespace scidfs::fs {

std::string RequestCounters::text() const {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "requests lookup",         "requests getattr", "requests open",        "requests read",
      "requests opendir",        "requests readdir", "requests readdirplus", "requests statfs",
      "entries with attributes", "entries by name",  "files prefetched",     "prefetch misses"};
  std::string text;
  for (std::size_t i = 0; i < kKinds; ++i) {
    text += fmt::format("{}: {}\n", kNames[i], counts_[i].load(std::memory_order_relaxed));
  }
  return text;
}

}  // namespace scidfs::fs
