// A search of games for how the sides castle.
// Source: FORMAT.md, sections 5 and 6.
//
// Like the searches of seek.h, it replays the main line, and a walk confirms what is found.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "codec/castling_target.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"

namespace scidfs::codec::scid {

// A search for one target in many records. A record may have a king castle more than once, since
// Scid asks for no right: the first time counts. Holds working memory: one for each thread.
class CastlingSeeker {
 public:
  // `rule` is that of the records' format.
  explicit CastlingSeeker(const CastlingTarget& target, CastlingRule rule = CastlingRule::Standard)
      : target_(target), reader_(rule) {}

  // Returns the moves up to the castling that meets the target, of both sides the later one; all
  // moves if the side never castles. Returns nothing if the game does not meet the target.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const CastlingTarget target_;
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
