// Plain text, which is written unchanged: found, copied and searched in blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec {

// The number of bytes next to a text being written that may be read or, after it, overwritten.
inline constexpr std::size_t kTextBlock = 16;

namespace internal {

using TextBlock [[gnu::vector_size(kTextBlock)]] = signed char;

inline TextBlock load_block(const char* in) {
  TextBlock block;
  std::memcpy(&block, in, sizeof block);
  return block;
}

// The result of a comparison of blocks: all bits are set in the bytes that match.
class Matches {
 public:
  explicit Matches(TextBlock found) {
    using Halves [[gnu::vector_size(kTextBlock)]] = std::uint64_t;
    const auto halves = reinterpret_cast<Halves>(found);
    low_ = in_little_endian(halves[0]);
    high_ = in_little_endian(halves[1]);
  }
  bool any() const { return (low_ | high_) != 0; }
  // Returns the place of the first match; the size of the block if there is none.
  std::size_t first() const {
    return static_cast<std::size_t>(low_ != 0 ? std::countr_zero(low_)
                                              : kHalf + std::countr_zero(high_)) /
           8;
  }
  // Returns the place of the last match. REQUIRES: any().
  std::size_t last() const {
    assert(any());
    return static_cast<std::size_t>(high_ != 0 ? 2 * kHalf - 1 - std::countl_zero(high_)
                                               : kHalf - 1 - std::countl_zero(low_)) /
           8;
  }

 private:
  static constexpr int kHalf = 64;
  std::uint64_t low_;
  std::uint64_t high_;
};

// Passes the blocks of a text and their places to `store`, until a block has bytes that are
// `special`. Returns how many bytes come before the first of them.
template <class Special, class Store>
[[gnu::always_inline]] inline std::size_t scan(std::string_view text, Special&& special,
                                               Store&& store) {
  std::size_t place = 0;
  for (; place + kTextBlock < text.size(); place += kTextBlock) {
    const TextBlock block = load_block(text.data() + place);
    store(place, block);
    const Matches found(special(block));
    if (found.any()) [[unlikely]]
      return place + found.first();
  }
  // The last block overlaps the one before it. NUL follows a text shorter than a block, and is
  // special.
  TextBlock block{};
  if (text.size() >= kTextBlock) {
    place = text.size() - kTextBlock;
    block = load_block(text.data() + place);
  } else {
    std::memcpy(&block, text.data(), text.size());
  }
  store(place, block);
  return place + Matches(special(block)).first();
}

// Bytes beyond ASCII are negative here; `}` and DEL differ in one bit.
inline TextBlock special_in_comment(TextBlock block) {
  return (block < ' ') | ((block | 2) == 0x7F);
}
inline TextBlock special_in_tag(TextBlock block) {
  return (block < ' ') | (block == 0x7F) | (block == '"') | (block == '\\');
}

template <class Store>
[[gnu::always_inline]] inline std::size_t scan_comment(std::string_view text, Store&& store) {
  std::size_t length = scan(text, special_in_comment, store);
  // Blanks at the end are not plain: the text after them decides how they are written.
  while (length != 0 && text[length - 1] == ' ') --length;
  return length;
}

inline auto store_to(char* out) {
  return
      [out](std::size_t place, TextBlock block) { std::memcpy(out + place, &block, sizeof block); };
}

}  // namespace internal

// Returns the number of plain bytes at the front of a comment: those written unchanged, one column
// each. They are ASCII without control characters and `}`, and the last one is no blank.
inline std::size_t plain_length(std::string_view comment) {
  return internal::scan_comment(comment, [](std::size_t, internal::TextBlock) {});
}

// Does the same, and copies these bytes to `out` in blocks, so that bytes after them are
// overwritten too.
[[gnu::always_inline]] inline std::size_t copy_plain(std::string_view comment, char* out) {
  return internal::scan_comment(comment, internal::store_to(out));
}

// Does the same for the value of a tag. Plain is ASCII without control characters and the
// characters that PGN escapes.
inline std::size_t copy_plain_value(std::string_view value, char* out) {
  return internal::scan(value, internal::special_in_tag, internal::store_to(out));
}

// Returns whether a line that began with this character could be taken for a tag or an escaped
// line.
constexpr bool must_not_begin_line(char c) { return c == '[' || c == '%'; }

// Returns whether a line may be broken at a blank that follows a word: not at a run of blanks, of
// which a reader would find only one.
constexpr bool may_break_at(const char* blank) {
  return static_cast<unsigned char>(blank[1]) > ' ' && !must_not_begin_line(blank[1]);
}

// Return the last and the first blank in plain text at which a line may be broken: a single one,
// so that readers find the same text again. Null if there is none. REQUIRES: a block and a byte
// before the text, and the byte after it, are readable.
inline char* last_break(char* begin, char* end) {
  while (end > begin) {
    end -= kTextBlock;
    const internal::TextBlock before = internal::load_block(end - 1);
    const internal::Matches breaks((internal::load_block(end) == ' ') &
                                   ((before > ' ') | (before < 0)));
    if (!breaks.any()) continue;
    char* const found = end + breaks.last();
    if (found < begin) return nullptr;
    if (may_break_at(found)) return found;
    end = found;
  }
  return nullptr;
}

inline char* first_break(char* begin, char* end) {
  for (; begin < end; ++begin) {
    const bool after_word = begin[-1] > ' ' || begin[-1] < 0;
    if (*begin == ' ' && after_word && may_break_at(begin)) return begin;
  }
  return nullptr;
}

}  // namespace scidfs::codec
