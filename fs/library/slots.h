// Which numbers stand for what.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "fs/file/fingerprint.h"

namespace scidfs::fs {

// The numbers of one path, as long as the mount lives.
struct InodeAllocation {
  std::uint16_t slot = 0;       // of its directories
  std::uint16_t file_slot = 0;  // of its files now
  std::vector<UsedEpoch> used;  // by versions in file_slot
};

// Gives out slots. A slot by the hash of its path is mostly the same after a remount, whatever else
// was added. It is never given to another path: numbers of files would mean two things. Not
// thread-safe.
class Slots {
 public:
  // Sees to it that a path has a slot with an epoch that has not been used. OutOfRange if
  // all slots are taken. `path` is relative to the source.
  absl::Status provide(std::string_view path, InodeAllocation& numbers);

 private:
  absl::Status take(std::string_view path, std::uint16_t& slot);

  std::set<std::uint16_t> taken_;
};

}  // namespace scidfs::fs
