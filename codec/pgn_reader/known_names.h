// The names of moves that a reader has met: games use five thousand of them again and again, and to
// find one takes a fraction of the time that it takes to cut out the word and to parse it.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/move_name.h"

namespace scidfs::codec::pgn_reader {

// A memory of words that name a move and say nothing else, of up to 7 characters with check marks.
// A new one may take the place of another one. One for each reader: not thread-safe.
class KnownNames {
 public:
  // A word at the front of a text, and what it names; null if that is not known.
  struct Known {
    const MoveName* name = nullptr;
    std::size_t length = 0;
  };

  // Returns the word at the front of a text, if it is known and a blank follows.
  Known find(std::string_view text) const {
    if (text.size() < sizeof(Key)) return {};
    const Key key = key_of(text.data());
    const Entry& entry = entries_[place_of_key(key)];
    if (entry.key != key || key == 0) return {};
    return {.name = &entry.name, .length = length_of(key)};
  }
  // Adds the word of this length at the front of a text, unless it is too long or no blank follows.
  void add(std::string_view text, std::size_t length, const MoveName& name) {
    if (text.size() < sizeof(Key) || length >= sizeof(Key)) return;
    const Key key = key_of(text.data());
    if (key != 0 && length_of(key) == length) entries_[place_of_key(key)] = {key, name};
  }

 private:
  // The characters of a word, and zeros.
  using Key = std::uint64_t;
  struct Entry {
    Key key = 0;
    MoveName name;
  };
  static constexpr unsigned kBits = 14;

  // Returns what is before the first blank or control character; 0 if there is none.
  static Key key_of(const char* text) {
    constexpr Key kEach = 0x0101010101010101;
    const Key bytes = load_little_word(text);
    // The lowest bit that is set is right; those of bytes after it may be wrong.
    const Key blanks = (bytes - ('!' * kEach)) & ~bytes & (0x80 * kEach);
    const Key first = blanks & -blanks;
    return bytes & ((first >> 7) - 1) & -Key{blanks != 0};
  }
  // REQUIRES: the key is not 0.
  static std::size_t length_of(Key key) {
    assert(key != 0);
    return sizeof(Key) - static_cast<std::size_t>(std::countl_zero(key)) / 8;
  }
  static std::size_t place_of_key(Key key) {
    constexpr Key kSpread = 0x9E3779B97F4A7C15;
    return key * kSpread >> (64 - kBits);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kBits);
};

}  // namespace scidfs::codec::pgn_reader
