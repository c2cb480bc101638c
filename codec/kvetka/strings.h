// Texts of a Kvetka book. Their encoding is stated nowhere: it must be found out from the texts
// themselves, once for each book.
// Source: FORMAT.md, section 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"

namespace scidfs::codec::kvetka {

// The byte order of the 16-bit units of a Unicode string.
enum class ByteOrder : std::uint8_t { Little, Big };

// Returns "le" or "be".
constexpr std::string_view byte_order_name(ByteOrder order) {
  return order == ByteOrder::Little ? "le" : "be";
}

// A finder of the byte order by the high bytes of Latin and Cyrillic letters.
class ByteOrderVote {
 public:
  // Adds the units of a string, two bytes each.
  void add(Bytes units);
  ByteOrder decide() const;
  // Returns whether the evidence favors one order.
  bool is_decided() const { return marked_ || even_ != odd_; }

 private:
  std::uint64_t even_ = 0;  // high bytes at even offsets
  std::uint64_t odd_ = 0;
  bool marked_ = false;  // a byte order mark has been seen
  ByteOrder mark_ = ByteOrder::Little;
};

// Returns the text as UTF-8 on one line: control characters become blanks, a byte order mark is
// dropped, and half a surrogate pair becomes U+FFFD.
std::string decode_units(Bytes units, ByteOrder order);

// Returns the units of a text. REQUIRES: valid UTF-8.
std::string encode_units(std::string_view text, ByteOrder order);

// A finder of the code page of the machine on which a book was written.
class CodePageVote {
 public:
  void add(Bytes text);
  CodePage decide() const;

 private:
  std::uint64_t high_ = 0;     // bytes that are not ASCII
  std::uint64_t in_runs_ = 0;  // those that look like parts of Cyrillic words
};

// Returns the bytes of a text in a code page; letters that it lacks lose their accents or become
// `?`. REQUIRES: valid UTF-8.
std::string encode_ansi(std::string_view text, CodePage page);

}  // namespace scidfs::codec::kvetka
