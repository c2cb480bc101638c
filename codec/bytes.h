// A bounds-checked cursor over bytes, the only way in which codec/ reads a number from a file; and
// how it writes one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scidfs::codec {

using Bytes = std::span<const std::uint8_t>;

// A reader from the front of a span. A read beyond the end yields 0 (or an empty span), leaves the
// cursor at the end and makes ok() false permanently, so that a parser may check once per record.
// Not thread-safe; does not own the bytes.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }

  // Reads a big-endian unsigned number of `width` bytes, 1..8.
  std::uint64_t big(std::size_t width) {
    const Bytes bytes = take(width);
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(big(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(big(2)); }
  std::uint32_t u24() { return static_cast<std::uint32_t>(big(3)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(big(4)); }

  // Reads a little-endian unsigned number of four bytes.
  std::uint32_t u32_little() {
    std::uint32_t value = 0;
    unsigned shift = 0;
    for (const std::uint8_t byte : take(4)) {
      value |= std::uint32_t{byte} << shift;
      shift += 8;
    }
    return value;
  }

  // Returns the next `count` bytes, or an empty span if fewer are left.
  Bytes take(std::uint64_t count) {
    if (count > remaining()) {
      ok_ = false;
      offset_ = bytes_.size();
      return {};
    }
    const Bytes taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
    offset_ += taken.size();
    return taken;
  }

 private:
  Bytes bytes_;
  std::size_t offset_ = 0;
  bool ok_ = true;
};

// Return a word as its bytes stand in memory, the lowest first, or store one so: on every machine
// the same. There must be 8 bytes.
constexpr std::uint64_t in_little_endian(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}
inline std::uint64_t load_little_word(const void* in) {
  std::uint64_t word = 0;
  std::memcpy(&word, in, sizeof word);
  return in_little_endian(word);
}
inline void store_little_word(std::uint64_t word, void* out) {
  word = in_little_endian(word);
  std::memcpy(out, &word, sizeof word);
}

// Appends a big-endian unsigned number of `width` bytes, 1..8, to a string or a vector of bytes.
template <class Out>
void append_big(std::uint64_t value, std::size_t width, Out& out) {
  while (width-- != 0) out.push_back(static_cast<typename Out::value_type>(value >> 8 * width));
}
// Does the same for a little-endian number.
template <class Out>
void append_little(std::uint64_t value, std::size_t width, Out& out) {
  for (; width-- != 0; value >>= 8) out.push_back(static_cast<typename Out::value_type>(value));
}

}  // namespace scidfs::codec
