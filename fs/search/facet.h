// One condition of a search, as a name of a directory: `eco=B90..B99`, `not-result=draw`.
//
//   facet   = ["not-"] key "=" value
//   value   = one | one {"," one}       the latter only for keys that take a list
//
// A game meets a list if it meets one of its conditions. It meets `not-` if what the key is about
// is known of the game, and it meets none of them: games of which it is unknown meet neither.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/target_position.h"

namespace scidfs::fs {

class Condition;
struct FacetRow;

// A value, cheap to copy.
struct Facet {
  const FacetRow* row = nullptr;  // of its key; never freed
  bool is_negated = false;
  // Identical for names with the same meaning: `player=CARLSEN*` and `player=carlsen*`, or
  // `eco=C42,B90` and `eco=B90,C42`.
  std::string canonical;
  // At least one; only one if the key takes no list.
  std::shared_ptr<const std::vector<Condition>> alternatives;

  // Returns the first of the alternatives, which is the condition of a key that takes no list.
  const Condition& condition() const;
  // Returns whether another facet has the same key and is as much negated; `not-part=` counts as
  // `part=`, `last=` as `first=`, and each tag of `tag=` as a key.
  bool has_key_of(const Facet& other) const;
};

// The most conditions in a list. Each takes a pass over the games.
inline constexpr std::size_t kMostAlternatives = 32;

// Parses the name of a facet. Returns InvalidArgument, with a message for users, if the name has no
// `=`, if no facet has its key, or if the key does not accept the value. Uses no database: a
// well-formed facet that no game can meet is valid.
absl::StatusOr<Facet> parse_facet(std::string_view name);
// Returns the facet `position=` of a position.
Facet position_facet(const codec::TargetPosition& target);

}  // namespace scidfs::fs
