#include "cache/hash.h"

#include <xxhash.h>

namespace scidfs::cache {

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t fingerprint(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace scidfs::cache
