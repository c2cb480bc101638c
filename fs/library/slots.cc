#include "fs/library/slots.h"

#include <fmt/format.h>

#include "cache/hash.h"
#include "fs/base/inode.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {

absl::Status Slots::provide(std::string_view path, InodeAllocation& numbers) {
  if (numbers.slot == 0) {
    RETURN_IF_ERROR(take(path, numbers.slot));
    numbers.file_slot = numbers.slot;
  }
  if (numbers.used.size() < kMaxEpoch) return absl::OkStatus();
  // When all epochs of a slot have been used, the files of the path move to another slot.
  RETURN_IF_ERROR(take(path, numbers.file_slot));
  numbers.used.clear();
  return absl::OkStatus();
}

absl::Status Slots::take(std::string_view path, std::uint16_t& slot) {
  const cache::MutexLock lock(mutex_);
  if (taken_.size() == kMaxSlot) {
    return absl::OutOfRangeError(fmt::format(
        "Cannot show {}: there are more than {} databases and folders", path, kMaxSlot));
  }
  std::size_t next = 1 + cache::fingerprint(path) % kMaxSlot;
  while (!taken_.insert(static_cast<std::uint16_t>(next)).second) next = next % kMaxSlot + 1;
  slot = static_cast<std::uint16_t>(next);
  return absl::OkStatus();
}

}  // namespace scidfs::fs
