// Numbers of 7 bits a byte, the lowest bits first: whether a byte follows is its highest bit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scidfs::fs {

inline constexpr unsigned kVarintBits = 7;

// Appends a number to bytes: a vector, or a string.
template <class Bytes>
void add_varint(std::uint64_t number, Bytes& out) {
  using Byte = typename Bytes::value_type;
  constexpr std::uint64_t kMore = std::uint64_t{1} << kVarintBits;
  for (; number >= kMore; number >>= kVarintBits) {
    out.push_back(static_cast<Byte>(static_cast<std::uint8_t>(number | kMore)));
  }
  out.push_back(static_cast<Byte>(number));
}

// Returns the bytes that a number takes.
constexpr std::size_t varint_length(std::uint64_t number) {
  return number == 0
             ? 1
             : (static_cast<unsigned>(std::bit_width(number)) + kVarintBits - 1) / kVarintBits;
}

// Reads such numbers from bytes that outlive it.
class VarintReader {
 public:
  explicit VarintReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  // Returns the next number: 0 after a failure.
  std::uint64_t next() {
    constexpr unsigned kWordBits = 64;
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < kWordBits; shift += kVarintBits) {
      if (rest_.empty()) break;
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      number |= std::uint64_t{byte} % (1U << kVarintBits) << shift;
      if (byte >> kVarintBits == 0) return number;
    }
    has_failed_ = true;
    rest_ = {};
    return 0;
  }
  // Returns whether bytes were missing, or a number had too many.
  bool has_failed() const { return has_failed_; }
  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
  bool has_failed_ = false;
};

}  // namespace scidfs::fs
