// Text in UTF-16, as editors of Windows save it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "codec/bytes.h"

namespace scidfs::fs {

// Returns the order of the bytes of a text in UTF-16, by its first bytes: by its mark, or by the
// zeros beside letters of ASCII, about half of the bytes, all at even places or all at odd ones.
// Nothing for other texts.
std::optional<std::endian> utf16_order(codec::Bytes front);

// Makes UTF-8 of a text that comes in pieces. Units that are no character become U+FFFD.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(std::endian order) : order_(order) {}

  // Appends the characters of the next bytes, without the mark at the front of the text.
  void append(codec::Bytes bytes, std::string& out);

 private:
  void append_unit(char16_t unit, std::string& out);

  std::endian order_;
  std::optional<std::uint8_t> half_;  // the first byte of a unit
  char16_t high_ = 0;                 // the first unit of a character of two; 0: none
  bool is_begun_ = false;
};

}  // namespace scidfs::fs
