// One condition of a search, as a name of a directory: `eco=B90..B99`.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "codec/position_goal.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// The keys of facets.
enum class FacetKey : std::uint8_t {
  Player,
  White,
  Black,
  Opponent,
  Event,
  Site,
  Round,
  Year,
  Month,
  Date,
  Result,
  Eco,
  Elo,
  WhiteElo,
  BlackElo,
  EloDifference,
  Plies,
  Number,
  Flag,
  Annotated,
  Start,
  Material,
  Text,
  Position,
  Line,
  Reached,
  Person,
  WhitePerson,
  BlackPerson,
  Opening,
};
inline constexpr std::size_t kFacetKeys = 30;

class Condition;

// A value, cheap to copy.
struct Facet {
  FacetKey key{};
  // The same for all names that ask the same: of `player=CARLSEN*` and `player=carlsen*` too.
  std::string canonical;
  std::shared_ptr<const Condition> condition;
};

// The facet that a name means. InvalidArgument, with a reason for people, if it has no `=`, the key
// is none, or the value is none of the key. Knows no database: a well-formed facet that no game can
// meet is one.
absl::StatusOr<Facet> parse_facet(std::string_view name);
// `position=` of a position.
Facet position_facet(const codec::PositionGoal& goal);

}  // namespace scidfs::fs
