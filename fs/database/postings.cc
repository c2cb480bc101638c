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
    own_ends_[key] = end;
  }
  // Not initialized: that would cost as much as writing the lists.
  own_deltas_ = std::make_unique_for_overwrite<std::uint8_t[]>(end);
  deltas_ = own_deltas_.get();
}

std::optional<Postings> Postings::of_stored(std::span<const std::uint32_t> ends,
                                            std::span<const std::uint8_t> deltas, unsigned tag_bits,
                                            GameIndex games) {
  if (!std::ranges::is_sorted(ends) || (ends.empty() ? 0 : ends.back()) != deltas.size()) {
    return std::nullopt;
  }
  Postings postings;
  postings.ends_ = ends;
  postings.deltas_ = deltas.data();
  postings.tag_bits_ = tag_bits;
  postings.most_ = GameList::most_number(games, tag_bits);
  return postings;
}

}  // namespace scidfs::fs
