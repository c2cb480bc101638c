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
  const FacetRow* row = nullptr;  // of its key; lives for ever
  // The same for all names that ask the same: of `player=CARLSEN*` and `player=carlsen*` too.
  std::string canonical;
  std::shared_ptr<const Condition> condition;
};

// Returns the facet that a name means. InvalidArgument, with a reason for people, if it has no `=`,
// the key is none, or the value is none of the key. Knows no database: a well-formed facet that no
// game can meet is one.
absl::StatusOr<Facet> parse_facet(std::string_view name);
// Returns `position=` of a position.
Facet position_facet(const codec::TargetPosition& target);

}  // namespace scidfs::fs
