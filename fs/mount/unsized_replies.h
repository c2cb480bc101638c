// Remembers the files that the kernel got without a size.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fs/base/inode.h"

namespace scidfs::fs {

// The files that a lookup has answered without their size. Of all requests only lookups block each
// other in the kernel: processes that need the same name meanwhile wait there, and no signal
// reaches them. So the first lookup of a file whose size takes long is answered without the size,
// with attributes that expire at once. open(2) and stat(2) then ask for the attributes (the
// permission check of `default_permissions` does), and each of those requests waits separately and
// can be interrupted.
//
// This happens once for each file: later, the kernel could take the answer for a change and forget
// a size that a reader uses. Files that share a bit with another count as answered. Thread-safe.
class UnsizedReplies {
 public:
  // Returns whether `file` may be answered without its size: true only for the first caller.
  bool claim(Inode file) {
    constexpr std::uint64_t kMix = 0x9E37'79B9'7F4A'7C15;  // 2^64 by the golden ratio: spreads
    const std::uint64_t bit = (file * kMix) >> (64 - kBits);
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    return (words_[bit / 64].fetch_or(mask) & mask) == 0;
  }

 private:
  static constexpr int kBits = 20;

  std::array<std::atomic<std::uint64_t>, (std::size_t{1} << kBits) / 64> words_{};
};

}  // namespace scidfs::fs
