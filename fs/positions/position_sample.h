// Positions that are likely to be frequent, judged by some of the games.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Some plies that follow a position.
struct Onward {
  codec::TargetPosition target;
  unsigned plies = 0;
};

// How large a sample is, and which of its positions are frequent.
struct SampleSize {
  std::size_t games = 16'384;  // about so many; all if there are not many more
  // A frequent position has at least one in so many of the sampled games, and probably so many of
  // all games.
  std::size_t one_in = 200;
  std::size_t fewest = 1;
  std::size_t most = std::numeric_limits<std::size_t>::max();  // frequent positions: the first ones
};

// A guess that saves scans and changes no result. It samples the same games each time, of those
// that come to a root. Temporary memory: 30 bytes for each different position of these games.
class PositionSample {
 public:
  // Both must outlive this.
  PositionSample(const Database& database, const GameBitmap& games, const SampleSize& size)
      : database_(database), games_(games), size_(size) {}

  // Returns the frequent positions, each once, to which sampled games come while they follow one of
  // `ways` from its target position on. The first call defines the root. Errors: those of
  // count_moves().
  absl::StatusOr<std::vector<codec::TargetPosition>> frequent(std::span<const Onward> ways,
                                                              const WorkBudget& budget);

 private:
  using Keys = absl::flat_hash_set<std::uint64_t>;
  struct Findings;
  GameBitmap pick(std::uint64_t limit) const;
  // Counts the positions, or finds the names of those with these keys.
  absl::StatusOr<Findings> look(const GameBitmap& games, std::span<const Onward> ways,
                                const Keys* keys, const WorkBudget& budget) const;
  absl::StatusOr<Findings> look_first(std::span<const Onward> ways, const WorkBudget& budget);
  // Returns the keys of the frequent positions; adds a game that comes to each to `examples`.
  Keys keys_of_frequent(const Findings& findings, GameBitmap& examples) const;

  const Database& database_;
  const GameBitmap& games_;
  const SampleSize size_;
  std::optional<GameBitmap> picked_;  // games that come to the root
  double rate_ = 1;                   // how many of all games were looked at for that
  std::size_t reached_ = 0;           // how many there are
};

// A part of a set, with a sample of its games.
struct SampledPart {
  SampledPart(const GameSet& set, const SampleSize& size)
      : database(*set.database()), games(database.games()), sample(database, games, size) {
    games.add(set.list());
  }
  SampledPart(const SampledPart&) = delete;
  SampledPart& operator=(const SampledPart&) = delete;

  const Database& database;
  GameBitmap games;
  PositionSample sample;
};
using SampledParts = std::deque<SampledPart>;  // which stay where they are

// Returns the parts of a set, which must outlive them. Errors: those of begin_decoding().
absl::StatusOr<SampledParts> sample_parts(SetParts parts, const SampleSize& size,
                                          const WorkBudget& budget);
// Returns the positions that are frequent in any part; with all those of `missing`.
absl::StatusOr<std::vector<codec::TargetPosition>> frequent_positions(
    SampledParts& parts, std::span<const Onward> missing, const WorkBudget& budget);

}  // namespace scidfs::fs
