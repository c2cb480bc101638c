#include "cache/hash.h"

// For the size of its state.
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace scidfs::cache {
namespace {

XXH3_state_t* state_in(std::byte* bytes) { return reinterpret_cast<XXH3_state_t*>(bytes); }
const XXH3_state_t* state_in(const std::byte* bytes) {
  return reinterpret_cast<const XXH3_state_t*>(bytes);
}

}  // namespace

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t fingerprint(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Fingerprint::Fingerprint() {
  static_assert(sizeof(XXH3_state_t) <= sizeof state_ &&
                alignof(XXH3_state_t) <= alignof(Fingerprint));
  XXH3_INITSTATE(state_in(state_.data()));
  XXH3_64bits_reset(state_in(state_.data()));
}

void Fingerprint::add(std::span<const std::uint8_t> bytes) {
  XXH3_64bits_update(state_in(state_.data()), bytes.data(), bytes.size());
}

std::uint64_t Fingerprint::value() const { return XXH3_64bits_digest(state_in(state_.data())); }

}  // namespace scidfs::cache
