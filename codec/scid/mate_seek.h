// A search of games for mate or stalemate at the end of the main line.
// Source: FORMAT.md, sections 5 and 6.
//
// Like the searches of seek.h, it replays the main line, and a walk confirms what is found.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "codec/mate_target.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"

namespace scidfs::codec::scid {

// A search for one target in many records. Holds working memory: one for each thread.
class MateSeeker {
 public:
  // `rule` is that of the records' format.
  explicit MateSeeker(const MateTarget& target, CastlingRule rule = CastlingRule::Standard)
      : target_(target), reader_(rule) {}

  // Returns the number of moves of a whole game that ends with the target, by the rules of chess
  // (movegen.h); nothing for other games. No man gives mate by a null move, nor in a game without
  // moves; stalemate may be there in both.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const MateTarget target_;
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
