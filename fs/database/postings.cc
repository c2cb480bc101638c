#include "fs/database/postings.h"

#include <utility>

namespace scidfs::fs {

// Sets the meaning that shares have while writing: the first number is written as its difference to
// `last`, and at offset `bytes`.
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
  // Not initialized: that would cost as much as writing the lists.
  deltas_ = std::make_unique_for_overwrite<std::uint8_t[]>(end);
}

}  // namespace scidfs::fs
