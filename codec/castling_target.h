// Castling to search for in the main line of a game.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/types.h"

namespace scidfs::codec {

// How one side castles, or how both do. A plain value.
struct CastlingTarget {
  enum class Way : std::uint8_t {
    Short,
    Long,
    No,        // never, in a game whose main line can be read to its end
    Opposite,  // of both: to different sides
    Same,      // of both: to the same side
  };

  Way way = Way::No;
  std::optional<Color> side{};  // nothing: both, for Opposite and Same
};

}  // namespace scidfs::codec
