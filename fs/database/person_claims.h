// Games of a name in one event that are of different persons.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scidfs::fs {

// A name in an event of a year.
struct NameInEvent {
  std::uint32_t player = 0;
  std::uint32_t event = 0;
  std::uint32_t year = 0;

  auto operator<=>(const NameInEvent&) const = default;  // NOLINT(modernize-use-nullptr)
  template <class H>
  friend H AbslHashValue(H hash, const NameInEvent& in) {
    return H::combine(std::move(hash), in.player, in.event, in.year);
  }
};

// One or more games of a name in an event are of a person.
struct Claim {
  NameInEvent in;
  std::uint32_t place = 0;  // the person
  bool is_weak = false;     // without an Elo in the game

  auto operator<=>(const Claim&) const = default;  // NOLINT(modernize-use-nullptr)
  template <class H>
  friend H AbslHashValue(H hash, const Claim& claim) {
    return H::combine(std::move(hash), claim.in, claim.place, claim.is_weak);
  }
};

// The claims of some games, each once.
class Claims {
 public:
  void add(const Claim& claim) {
    // Games of an event often follow each other.
    if (claim == last_) return;
    last_ = claim;
    all_.insert(claim);
  }
  // Returns the claims of several, sorted.
  static std::vector<Claim> joined(std::span<Claims> parts);

 private:
  Claim last_{.in = {}, .place = ~std::uint32_t{0}};
  absl::flat_hash_set<Claim> all_;
};

// Returns where weak claims disagree with other claims to games of the same name in the same event,
// that year or the one before or after. REQUIRES: the claims are sorted.
absl::flat_hash_set<NameInEvent> find_disputed(std::span<const Claim> claims);

}  // namespace scidfs::fs
