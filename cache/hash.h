// A hash for keys, fingerprints and checksums of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace scidfs::cache {

// Returns the XXH3 hash of some bytes: the same on every machine and in every run. It tells apart
// bytes that differ by chance, but it is not secure: an attacker can make two texts with one
// fingerprint.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed = 0);
std::uint64_t fingerprint(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0);

// The fingerprint of bytes that come in parts: that of all together. Allocates nothing, and calls
// nothing that signal handlers may not.
class Fingerprint {
 public:
  Fingerprint();

  void add(std::span<const std::uint8_t> bytes);
  std::uint64_t value() const;

 private:
  alignas(64) std::array<std::byte, 576> state_{};  // an XXH3_state_t
};

}  // namespace scidfs::cache
