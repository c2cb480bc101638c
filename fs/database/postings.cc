#include "fs/database/postings.h"

#include <utility>

namespace scidfs::fs {

// From here on a share's `last` is what its first number is written as the difference to, and
// `bytes` is where.
void Postings::lay_out(std::span<Shares> chunks) {
  std::uint32_t end = 0;
  for (std::uint32_t key = 0; key < keys(); ++key) {
    std::uint32_t last = 0;
    for (Shares& shares : chunks) {
      Share& share = shares[key];
      if (share.first == Share::kNone) continue;
      const std::uint32_t bytes = delta_bytes(share.first - last) + share.bytes;
      share.bytes = end;
      end += bytes;
      std::swap(share.last, last);
    }
    ends_[key] = end;
  }
  // Not filled: that costs as much as writing them.
  deltas_ = std::make_unique_for_overwrite<std::uint8_t[]>(end);
}

}  // namespace scidfs::fs
