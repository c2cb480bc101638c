// The FIDE ids of the players in the tags of a game.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "codec/scid/record.h"

namespace scidfs::codec::scid {

struct FideIds {
  std::uint32_t white = 0;  // 0: none
  std::uint32_t black = 0;

  bool any() const { return (white | black) != 0; }
  auto operator<=>(const FideIds&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Returns the ids in the tags WhiteFideId and BlackFideId of a record, whose names are written in
// capital and small letters as each program likes. An id is a number of digits alone; tags of one
// side that contradict each other tell none, and neither do equal ids of both sides.
FideIds fide_ids_of(std::span<const ExtraTag> tags);

}  // namespace scidfs::codec::scid
