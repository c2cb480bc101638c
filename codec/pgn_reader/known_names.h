// The names of moves that a reader has met: games use some thousand of them again and again, and to
// find one takes a fraction of the time that it takes to cut out the word and to parse it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "codec/move_name.h"

namespace scidfs::codec::pgn_reader {

// A memory of words that are the name of a move and nothing else, of up to 7 characters. A new name
// may take the place of another one. One for each reader: not thread-safe.
class KnownNames {
 public:
  // Returns the name at the front of a text, if it is known and a blank follows; else null.
  const MoveName* find(std::string_view text) const {
    if (text.size() < sizeof(Key)) return nullptr;
    const Key key = key_of(text.data());
    const Entry& entry = entries_[place_of_key(key)];
    return entry.key == key && key != 0 ? &entry.name : nullptr;
  }
  // Adds the name at the front of a text, unless it is too long or no blank follows.
  void add(std::string_view text, const MoveName& name) {
    if (text.size() < sizeof(Key) || name.length >= sizeof(Key)) return;
    const Key key = key_of(text.data());
    if (key != 0 && key >> 8 * name.length == 0) entries_[place_of_key(key)] = {key, name};
  }

 private:
  // The characters of a word, and zeros.
  using Key = std::uint64_t;
  struct Entry {
    Key key = 0;
    MoveName name;
  };
  static constexpr unsigned kBits = 12;

  // Returns what is before the first blank or control character; 0 if there is none.
  static Key key_of(const char* text) {
    constexpr Key kEach = 0x0101010101010101;
    Key bytes;
    std::memcpy(&bytes, text, sizeof bytes);
    // The lowest bit that is set is right; those of bytes after it may be wrong.
    const Key blanks = (bytes - ('!' * kEach)) & ~bytes & (0x80 * kEach);
    const Key first = blanks & -blanks;
    return bytes & ((first >> 7) - 1) & -Key{blanks != 0};
  }
  static std::size_t place_of_key(Key key) {
    constexpr Key kSpread = 0x9E3779B97F4A7C15;
    return key * kSpread >> (64 - kBits);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kBits);
};

}  // namespace scidfs::codec::pgn_reader
