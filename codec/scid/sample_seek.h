// Samples of games by their moves.
// Source: FORMAT.md, sections 5 and 6.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"

namespace scidfs::codec::scid {

// One of the samples into which games fall by chance. A plain value.
struct Sample {
  static constexpr std::uint32_t kAllPlies = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t number = 1;  // from 1
  std::uint32_t of = 1;      // how many samples there are
  // The sample of a game depends on its start (pieces and the side to move) and so many half-moves
  // of its main line, at least one: games that begin alike fall into one sample, in every database
  // and version of the program.
  std::uint32_t plies = kAllPlies;
};

// A search for the games of a sample. Each record falls into one of the samples: a damaged one by
// what a replay makes of it, one that does not say where the game begins as if it had no moves.
// Holds working memory: one for each thread.
class SampleSeeker {
 public:
  // `rule` is that of the records' format.
  explicit SampleSeeker(const Sample& sample, CastlingRule rule = CastlingRule::Standard)
      : sample_(sample), reader_(rule) {}

  // Returns 0 for a game of the sample, which is no question about a position; nothing for others.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const Sample sample_;
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
