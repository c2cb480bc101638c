// Texts of a Kvetka book. How they are encoded is stated nowhere and must be found out from the
// texts themselves, once for a book.
// Source: FORMAT.md, section 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"

namespace scidfs::codec::kvetka {

// Of the 16-bit units of a Unicode string.
enum class ByteOrder : std::uint8_t { Little, Big };

// "le" or "be".
constexpr std::string_view byte_order_name(ByteOrder order) {
  return order == ByteOrder::Little ? "le" : "be";
}

// Finds out the order from the high bytes of Latin and Cyrillic letters.
class ByteOrderVote {
 public:
  // The units of a string, two bytes each.
  void add(Bytes units);
  ByteOrder decide() const;
  // Whether anything speaks for one order more than for the other.
  bool is_decided() const { return marked_ || even_ != odd_; }

 private:
  std::uint64_t even_ = 0;  // high bytes at even offsets
  std::uint64_t odd_ = 0;
  bool marked_ = false;  // a byte order mark has been seen
  ByteOrder mark_ = ByteOrder::Little;
};

// The text as UTF-8 on one line: control characters are blanks. A byte order mark is dropped; half
// a surrogate pair becomes U+FFFD.
std::string decode_units(Bytes units, ByteOrder order);

// The units of a text. REQUIRES: valid UTF-8.
std::string encode_units(std::string_view text, ByteOrder order);

// Finds out the code page of the machine on which a book was written.
class CodePageVote {
 public:
  void add(Bytes text);
  CodePage decide() const;

 private:
  std::uint64_t high_ = 0;     // bytes that are not ASCII
  std::uint64_t in_runs_ = 0;  // those that look like parts of Cyrillic words
};

// The bytes of a text in a code page; letters that it lacks lose their accents or become `?`.
// REQUIRES: valid UTF-8.
std::string encode_ansi(std::string_view text, CodePage page);

}  // namespace scidfs::codec::kvetka
