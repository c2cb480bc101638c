// A list of games in database order: what a virtual file of games consists of.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scidfs::fs {

// The place of a game in its database, from 0; its number as Scid shows it is one more.
using GameIndex = std::uint32_t;
inline constexpr GameIndex kNoGame = ~GameIndex{0};
// No database shows more: a list has 32 bits for a number with its tag, and 32 for its length.
inline constexpr GameIndex kMaxGames = (GameIndex{1} << 28) - 1;

// The difference to the number before is kept as a variable-length integer: seven bits a byte, the
// low ones first, the top bit set in all bytes but the last. At most 5 bytes.
constexpr unsigned kDeltaBits = 7;
constexpr unsigned kMaxDeltaBytes = 5;

// 1 if a delta needs more than so many bytes, else 0: a carry, since compilers make branches of
// comparisons, and whether one byte is enough is as good as chance.
constexpr std::uint32_t delta_needs_more(std::uint32_t delta, unsigned bytes) {
  constexpr unsigned kWord = 32;
  const std::uint64_t short_of_carry =
      (std::uint64_t{1} << kWord) - (std::uint64_t{1} << bytes * kDeltaBits);
  return static_cast<std::uint32_t>((short_of_carry + delta) >> kWord);
}
// How many bytes write_delta() writes.
constexpr std::uint32_t delta_bytes(std::uint32_t delta) {
  return (static_cast<std::uint32_t>(std::bit_width(delta | 1U)) + kDeltaBits - 1) / kDeltaBits;
}
// Returns the end.
inline std::uint8_t* write_delta(std::uint32_t delta, std::uint8_t* out) {
  constexpr std::uint32_t kMore = 1U << kDeltaBits;
  if (delta >> 3 * kDeltaBits != 0) {
    for (; delta >= kMore; delta >>= kDeltaBits) *out++ = static_cast<std::uint8_t>(delta | kMore);
    *out++ = static_cast<std::uint8_t>(delta);
    return out;
  }
  // From the last byte to the first: what would be one too many is written over.
  const std::uint32_t two = delta_needs_more(delta, 1);
  const std::uint32_t three = delta_needs_more(delta, 2);
  out[two + three] = static_cast<std::uint8_t>(delta >> 2 * kDeltaBits);
  out[two] = static_cast<std::uint8_t>((delta >> kDeltaBits & (kMore - 1)) | three << kDeltaBits);
  out[0] = static_cast<std::uint8_t>((delta & (kMore - 1)) | two << kDeltaBits);
  return out + 1 + two + three;
}

// A view of games that lie elsewhere: the ones in a run of deltas, or all games but those. Cheap to
// copy. However it is kept, a list is read from front to back by a cursor.
class GameList {
 public:
  // A place in a list. A copy remembers the place.
  class Cursor {
   public:
    // The next game; after the last one always kNoGame.
    GameIndex next() { return all_ == 0 ? next_listed() : next_but_listed(); }

   private:
    friend class GameList;
    GameIndex next_listed();
    GameIndex next_but_listed();
    // The next number of the run; false at its end.
    bool next_number();

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint32_t number_ = 0;    // read last
    std::uint8_t tag_bits_ = 0;   // of each number, after the game
    std::int8_t wanted_tag_ = 0;  // kAnyTag: all
    GameIndex all_ = 0;   // not 0: how many games there are, of which those listed are left out
    GameIndex next_ = 0;  // of those, if the next left out does not say otherwise
    GameIndex left_out_ = kNoGame;
    GameIndex last_ = kNoGame;  // given out last
  };

  GameList() = default;
  // The games of ascending numbers in a run of deltas. A number may have a tag after the game
  // (`tag_bits` low bits); a game with several tags is one game.
  static GameList of(std::span<const std::uint8_t> deltas, unsigned tag_bits = 0,
                     std::optional<unsigned> tag = std::nullopt);
  // The games 0 .. count-1 without those of `missing`, which has no tags.
  static GameList all_but(GameIndex count, std::span<const std::uint8_t> missing);

  Cursor begin() const { return start_; }
  bool empty() const { return begin().next() == kNoGame; }
  // How many games there are, counted up to `limit`.
  std::size_t count(std::size_t limit) const;

  // Of what all_but() made, how many games there are with those that are left out; else 0.
  GameIndex all() const { return start_.all_; }
  // Calls visit(game) for each that is left out.
  template <class Visit>
  void for_each_left_out(const Visit& visit) const {
    Cursor cursor = start_;
    while (cursor.left_out_ != kNoGame) {
      visit(cursor.left_out_);
      cursor.left_out_ = cursor.next_number() ? cursor.number_ : kNoGame;
    }
  }

 private:
  static constexpr std::int8_t kAnyTag = -1;

  Cursor start_;
};

// A run of deltas that grows at its end.
class DeltaList {
 public:
  // REQUIRES: greater than what was added before.
  void add(GameIndex game) {
    constexpr GameIndex kOneByte = 0x80;
    if (game - last_ >= kOneByte) return add_far(game);
    bytes_.push_back(static_cast<std::uint8_t>(game - last_));
    last_ = game;
    ++size_;
  }
  std::size_t size() const { return size_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  void add_far(GameIndex game);

  std::vector<std::uint8_t> bytes_;
  GameIndex last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace scidfs::fs
