#include "fs/database/game_list.h"

#include <algorithm>
#include <array>

namespace scidfs::fs {
namespace {

constexpr std::uint8_t kMore = 0x80;

}  // namespace

bool GameList::Cursor::end() {
  at_ = end_;
  return false;
}

bool GameList::Cursor::next_number() {
  if (at_ == end_) return false;
  std::uint32_t delta = *at_++;
  if (delta >= kMore) {
    delta &= kMore - 1U;
    for (unsigned shift = kDeltaBits;; shift += kDeltaBits) {
      if (at_ == end_ || shift == kMaxDeltaBytes * kDeltaBits) return end();
      const std::uint32_t byte = *at_++;
      delta |= (byte & (kMore - 1U)) << shift;
      if (byte < kMore) break;
    }
  }
  if (delta > most_ - number_) return end();
  number_ += delta;
  return true;
}

GameIndex GameList::Cursor::next_listed() {
  while (next_number()) {
    const GameIndex game = number_ >> tag_bits_;
    const std::uint32_t tag = number_ & ((1U << tag_bits_) - 1);
    const bool has_tag = wanted_tag_ == kAnyTag || static_cast<std::int32_t>(tag) == wanted_tag_;
    if (has_tag && game != last_) return last_ = game;
  }
  return kNoGame;
}

GameIndex GameList::Cursor::next_but_listed() {
  while (next_ == left_out_) {
    ++next_;
    left_out_ = next_number() ? number_ : kNoGame;
  }
  return next_ < all_ ? next_++ : kNoGame;
}

GameList GameList::of(std::span<const std::uint8_t> deltas, unsigned tag_bits,
                      std::optional<unsigned> tag, std::uint32_t most) {
  GameList list;
  list.start_.at_ = deltas.data();
  list.start_.end_ = deltas.data() + deltas.size();
  list.start_.most_ = most;
  list.start_.tag_bits_ = static_cast<std::uint8_t>(tag_bits);
  list.start_.wanted_tag_ = tag.has_value() ? static_cast<std::int8_t>(*tag) : kAnyTag;
  return list;
}

GameList GameList::all_but(GameIndex count, std::span<const std::uint8_t> missing) {
  GameList list = of(missing);
  list.start_.all_ = count;
  list.start_.left_out_ = list.start_.next_number() ? list.start_.number_ : kNoGame;
  return list;
}

std::size_t GameList::count(std::size_t limit) const {
  std::size_t count = 0;
  if (all() != 0) {
    count = all();
    for_each_left_out([&count](GameIndex) { --count; });
    return std::min(count, limit);
  }
  for (Cursor cursor = begin(); count < limit && cursor.next() != kNoGame;) ++count;
  return count;
}

// There is one way to write a list.
std::optional<DeltaList> DeltaList::of_stored(std::span<const std::uint8_t> bytes, std::size_t size,
                                              GameIndex games) {
  DeltaList list;
  list.bytes_.reserve(bytes.size());
  GameList::Cursor rest =
      GameList::of(bytes, 0, std::nullopt, GameList::most_number(games, 0)).begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) list.add(game);
  if (list.size() != size || size > games || !std::ranges::equal(list.bytes(), bytes)) {
    return std::nullopt;
  }
  return list;
}

void DeltaList::add_far(GameIndex game) {
  std::array<std::uint8_t, kMaxDeltaBytes> room{};
  const std::uint8_t* const end = write_delta(game - last_, room.data());
  bytes_.insert(bytes_.end(), room.cbegin(), room.cbegin() + (end - room.data()));
  last_ = game;
  ++size_;
}

}  // namespace scidfs::fs
