// Positions that are likely to be frequent, judged by some of the games.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
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
  // The games of the set in one database.
  struct Part {
    const Database& database;
    GameBitmap games;
  };

  // Samples a set, whose parts must outlive the sample. Errors: those of begin_decoding().
  static absl::StatusOr<PositionSample> of(const GameSet& set, const SampleSize& size,
                                           const WorkBudget& budget);

  // Returns all parts of the set, with all their games.
  std::span<const Part> parts() const { return parts_; }

  // Returns the frequent positions, each once, to which sampled games come while they follow one of
  // `ways` from its target position on; then the target positions of `ways`. The first call defines
  // the root. REQUIRES: there is a way. Errors: those of count_moves().
  absl::StatusOr<std::vector<codec::TargetPosition>> frequent(std::span<const Onward> ways,
                                                              const WorkBudget& budget);

 private:
  using Keys = absl::flat_hash_set<std::uint64_t>;
  using GamesOfParts = std::vector<GameBitmap>;
  struct Findings;

  PositionSample(std::vector<Part> parts, const SampleSize& size)
      : parts_(std::move(parts)), size_(size) {}

  GamesOfParts no_games() const;
  absl::StatusOr<GamesOfParts> pick(std::uint64_t limit, const WorkBudget& budget) const;
  // Counts the positions, or finds the names of those with these keys.
  absl::StatusOr<Findings> look(const GamesOfParts& games, std::span<const Onward> ways,
                                const Keys* keys, const WorkBudget& budget) const;
  absl::StatusOr<Findings> look_first(std::span<const Onward> ways, const WorkBudget& budget);
  // Returns the keys of the frequent positions; adds a game that comes to each to `examples`.
  absl::StatusOr<Keys> keys_of_frequent(const Findings& findings, GamesOfParts& examples,
                                        const WorkBudget& budget) const;

  std::vector<Part> parts_;
  SampleSize size_;
  GamesOfParts picked_;      // games that come to the root; empty before the first call
  double rate_ = 1;          // how many of all games were looked at for that
  std::size_t reached_ = 0;  // how many there are
};

}  // namespace scidfs::fs
