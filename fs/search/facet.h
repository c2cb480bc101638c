// One condition of a search, as a name of a directory: `eco=B90..B99`.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>

#include "codec/target_position.h"

namespace scidfs::fs {

class Condition;
struct FacetRow;

// A value, cheap to copy.
struct Facet {
  const FacetRow* row = nullptr;  // of its key; never freed
  // Identical for names with the same meaning: `player=CARLSEN*` and `player=carlsen*`.
  std::string canonical;
  std::shared_ptr<const Condition> condition;
};

// Parses the name of a facet. Returns InvalidArgument, with a message for users, if the name has no
// `=`, if no facet has its key, or if the key does not accept the value. Uses no database: a
// well-formed facet that no game can meet is valid.
absl::StatusOr<Facet> parse_facet(std::string_view name);
// Returns the facet `position=` of a position.
Facet position_facet(const codec::TargetPosition& target);

}  // namespace scidfs::fs
