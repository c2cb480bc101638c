// Which files the kernel has been told of before their size was known.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fs/base/inode.h"

namespace scidfs::fs {

// A lookup is the one request that the kernel does not let others share: those who want the same
// name meanwhile wait in the kernel, and no signal reaches them. So the first lookup of a file
// whose size takes long is answered without it, with attributes that are valid for no time. open(2)
// and stat(2) then ask for the attributes (the permission check of `default_permissions` does), and
// each of those requests waits by itself and can be interrupted.
//
// That is said once of a file: later, the kernel could take it for news and forget a size that
// somebody reads by. Files that share a bit with another are answered as if it had been said.
// May be called by any thread.
class UnsizedReplies {
 public:
  // Returns whether `file` may be answered without its size: true for the first caller alone.
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
