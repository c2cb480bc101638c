#include "fs/postings.h"

namespace scidfs::fs {

Postings::Postings(GameIndex games, std::uint32_t keys,
                   absl::FunctionRef<std::uint32_t(GameIndex)> key_of)
    : ends_(keys) {
  for (GameIndex game = 0; game < games; ++game) {
    if (const std::uint32_t key = key_of(game); key < keys) ++ends_[key];
  }
  // Counts become the begins of the parts, and these, while the parts are filled, their ends.
  std::uint32_t total = 0;
  for (std::uint32_t& end : ends_) {
    const std::uint32_t count = end;
    end = total;
    total += count;
  }
  games_.resize(total);
  for (GameIndex game = 0; game < games; ++game) {
    if (const std::uint32_t key = key_of(game); key < keys) games_[ends_[key]++] = game;
  }
}

}  // namespace scidfs::fs
