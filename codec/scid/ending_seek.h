// A search of games for endings of all classes at once (codec/ending_classes.h).
// Source: FORMAT.md, sections 5 and 6.
//
// Like the searches of seek.h, it replays the main line, and a walk confirms what is found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/ending_classes.h"
#include "codec/position.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// A class to which two consecutive positions of a main line belong.
struct ReachedEnding {
  EndingNumber ending = kNoEnding;
  std::uint32_t plies = 0;  // from the first of the first such positions to the end; at least 1
};

// A search of many records. Holds working memory: one for each thread.
class EndingSeeker {
 public:
  // Returns the endings of a game, each once, in the order in which it comes to them; valid until
  // the next call. `head` is that of the record. `is_whole`: the record is known to be undamaged,
  // so that no walk needs to confirm what the replay finds.
  std::span<const ReachedEnding> seek(Bytes record, const RecordHead& head, bool is_whole);

 private:
  const Position standard_;
  Replay replay_;
  Walker walker_;
  std::vector<ReachedEnding> reached_;
};

}  // namespace scidfs::codec::scid
