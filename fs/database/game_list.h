// A list of games in database order, from which a virtual file of games is made.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace scidfs::fs {

// The place of a game in its database, from 0. The number that Scid shows is one more.
using GameIndex = std::uint32_t;
inline constexpr GameIndex kNoGame = ~GameIndex{0};
// The maximum number of games that a database shows: a list has 32 bits for its length, and for a
// game with its tag. The numbers of a list with t tag bits, at most 4:
//
//  bits     field  width
//  31..t    game    32-t
//  t-1..0   tag        t
inline constexpr GameIndex kMaxGames = (GameIndex{1} << 28) - 1;

// The difference to the previous number is stored in 1 to 5 bytes, the lowest bits first:
//
//  bits  field  width
//  7     more       1  whether a byte follows
//  6..0  delta      7  of the difference
constexpr unsigned kDeltaBits = 7;
constexpr unsigned kMaxDeltaBytes = 5;

// Returns 1 if a delta needs more than `bytes` bytes, else 0. Uses a carry, since compilers make
// branches of comparisons, and whether one byte is enough is unpredictable.
constexpr std::uint32_t delta_needs_more(std::uint32_t delta, unsigned bytes) {
  constexpr unsigned kWord = 32;
  const std::uint64_t short_of_carry =
      (std::uint64_t{1} << kWord) - (std::uint64_t{1} << bytes * kDeltaBits);
  return static_cast<std::uint32_t>((short_of_carry + delta) >> kWord);
}
// Returns the number of bytes that write_delta() writes.
constexpr std::uint32_t delta_bytes(std::uint32_t delta) {
  return (static_cast<std::uint32_t>(std::bit_width(delta | 1U)) + kDeltaBits - 1) / kDeltaBits;
}
// Writes a delta. Returns the end.
inline std::uint8_t* write_delta(std::uint32_t delta, std::uint8_t* out) {
  constexpr std::uint32_t kMore = 1U << kDeltaBits;
  if (delta >> 3 * kDeltaBits != 0) {
    for (; delta >= kMore; delta >>= kDeltaBits) *out++ = static_cast<std::uint8_t>(delta | kMore);
    *out++ = static_cast<std::uint8_t>(delta);
    return out;
  }
  // Writes from the last byte to the first: the next write overwrites a superfluous byte.
  const std::uint32_t two = delta_needs_more(delta, 1);
  const std::uint32_t three = delta_needs_more(delta, 2);
  out[two + three] = static_cast<std::uint8_t>(delta >> 2 * kDeltaBits);
  out[two] = static_cast<std::uint8_t>((delta >> kDeltaBits & (kMore - 1)) | three << kDeltaBits);
  out[0] = static_cast<std::uint8_t>((delta & (kMore - 1)) | two << kDeltaBits);
  return out + 1 + two + three;
}

// A view of games that another object owns: the games in a run of deltas, or all games but those.
// Cheap to copy. A cursor reads either form from front to back.
class GameList {
 public:
  static constexpr std::uint32_t kMostNumber = std::numeric_limits<std::uint32_t>::max();

  // A position in a list. A copy remembers the position.
  class Cursor {
   public:
    // Returns the next game; after the last one always kNoGame.
    GameIndex next() { return all_ == 0 ? next_listed() : next_but_listed(); }

   private:
    friend class GameList;
    GameIndex next_listed();
    GameIndex next_but_listed();
    // Reads the next number of the run. Returns false at its end, and at a number above `most_`.
    bool next_number();
    bool end();

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint32_t number_ = 0;  // read last
    std::uint32_t most_ = kMostNumber;
    std::uint8_t tag_bits_ = 0;   // of each number, after the game
    std::int8_t wanted_tag_ = 0;  // kAnyTag: all
    GameIndex all_ = 0;           // not 0: the number of all games; the listed ones are left out
    GameIndex next_ = 0;          // of all games, unless it is the next left out
    GameIndex left_out_ = kNoGame;
    GameIndex last_ = kNoGame;  // returned last
  };

  // Returns the greatest number of a list of a database's games.
  static constexpr std::uint32_t most_number(GameIndex games, unsigned tag_bits) {
    return (games << tag_bits) - 1;
  }

  GameList() = default;
  // Returns the games of ascending numbers in a run of deltas. A number may have a tag after the
  // game (`tag_bits` low bits). A game with several tags is one game.
  //
  // The run may be any bytes: games ascend and no number is above `most`, or the list ends before.
  static GameList of(std::span<const std::uint8_t> deltas, unsigned tag_bits = 0,
                     std::optional<unsigned> tag = std::nullopt, std::uint32_t most = kMostNumber);
  // Returns the games 0 .. count-1 without those of `missing`, which has no tags.
  static GameList all_but(GameIndex count, std::span<const std::uint8_t> missing);

  Cursor begin() const { return start_; }
  bool empty() const { return begin().next() == kNoGame; }
  // Returns the number of games, counted up to `limit`.
  std::size_t count(std::size_t limit) const;

  // Returns the number of games including those left out, for a list from all_but(); else 0.
  GameIndex all() const { return start_.all_; }
  // Calls visit(game) for each game that is left out.
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
  // Adds a game. REQUIRES: it is greater than those added before.
  void add(GameIndex game) {
    assert(size_ == 0 || game > last_);
    constexpr GameIndex kOneByte = 0x80;
    if (game - last_ >= kOneByte) return add_far(game);
    bytes_.push_back(static_cast<std::uint8_t>(game - last_));
    last_ = game;
    ++size_;
  }
  std::size_t size() const { return size_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  // Returns a list with these bytes, of `size` games below `games`; nothing if they are no such
  // list.
  static std::optional<DeltaList> of_stored(std::span<const std::uint8_t> bytes, std::size_t size,
                                            GameIndex games);

 private:
  void add_far(GameIndex game);

  std::vector<std::uint8_t> bytes_;
  GameIndex last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace scidfs::fs
