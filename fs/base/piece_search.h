// A search for pieces of a pattern in a text, in one pass.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/unicode.h"

namespace scidfs::fs {

// Some pieces of valid UTF-8, in which kAnyCharacter (fs/base/wildcards.h) matches any character. A
// search reads each byte of the text once, for any text and any piece: a bit for each byte of a
// piece says whether the text before the current position ends with the piece up to that byte.
// Immutable.
class PieceSearch {
 public:
  static constexpr std::size_t kNowhere = std::string_view::npos;
  // The maximum total number of bytes of the pieces.
  static constexpr std::size_t kMostBytes = 256;

  PieceSearch() = default;
  explicit PieceSearch(std::span<const std::string> pieces);

  // Returns the end of the first match of piece `number` in a text of valid UTF-8, from `from` on,
  // where may_begin(place) and may_end(place) allow the match; kNowhere if there is none. The
  // search calls them with places between characters. Other bytes, which the names of a cache file
  // that lies may have, can match anything, but harm nothing. REQUIRES: the piece is not empty;
  // from <= text.size().
  template <class MayBegin, class MayEnd>
  std::size_t find(std::string_view text, std::size_t number, std::size_t from,
                   const MayBegin& may_begin, const MayEnd& may_end) const {
    assert(pieces_[number].words != 0);
    assert(from <= text.size());
    switch (pieces_[number].words) {
      case 1:
        return find_by<1>(text, pieces_[number], from, may_begin, may_end);
      case 2:
        return find_by<2>(text, pieces_[number], from, may_begin, may_end);
      case 3:
        return find_by<3>(text, pieces_[number], from, may_begin, may_end);
      default:
        return find_by<kMostWords>(text, pieces_[number], from, may_begin, may_end);
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kMostWords = kMostBytes / kBits;

  // The bits of a piece, and where it can begin.
  struct Piece {
    std::size_t first_word = 0;
    std::size_t words = 0;
    std::uint64_t first = 0;  // its first bit, in its first word
    std::uint64_t last = 0;   // its last bit, in its last word
    char begin = 0;           // its first byte
    bool begins_anyhow = false;
  };

  const std::uint64_t* masks_of(char c) const {
    return &masks_[class_of_[static_cast<unsigned char>(c)] * words_];
  }

  template <std::size_t kWords, class MayBegin, class MayEnd>
  std::size_t find_by(std::string_view text, const Piece& piece, std::size_t from,
                      const MayBegin& may_begin, const MayEnd& may_end) const {
    std::array<std::uint64_t, kWords> reached{};
    bool has_begun = false;
    for (std::size_t at = from;; ++at) {
      if (!has_begun && !piece.begins_anyhow) {
        const void* const next = at == text.size()
                                     ? nullptr
                                     : std::memchr(text.data() + at, piece.begin, text.size() - at);
        if (next == nullptr) return kNowhere;
        at = static_cast<std::size_t>(static_cast<const char*>(next) - text.data());
      }
      const bool is_between = at == text.size() || !codec::continues_character(text[at]);
      if (is_between && (reached[kWords - 1] & piece.last) != 0) {
        if (may_end(at)) return at;
        reached[kWords - 1] &= ~piece.last;
      }
      if (at == text.size()) return kNowhere;
      const std::uint64_t* const here = masks_of(text[at]) + piece.first_word;
      std::uint64_t carried =
          is_between && (here[0] & piece.first) != 0 && may_begin(at) ? piece.first : 0;
      has_begun = false;
      for (std::size_t word = 0; word < kWords; ++word) {
        const std::uint64_t before = reached[word];
        // A bit of kAnyCharacter stays set until the next character begins.
        const std::uint64_t stays = is_between ? 0 : before & any_[piece.first_word + word];
        reached[word] = ((before << 1 | carried) & here[word]) | stays;
        carried = before >> (kBits - 1);
        has_begun |= reached[word] != 0;
      }
    }
  }

  std::size_t words_ = 0;
  std::vector<Piece> pieces_;
  // Bytes that no piece distinguishes are one class. `masks_` has the bits that each class matches.
  std::array<std::uint8_t, 256> class_of_{};
  std::vector<std::uint64_t> masks_;
  std::array<std::uint64_t, kMostWords> any_{};  // the bits of kAnyCharacter
};

}  // namespace scidfs::fs
