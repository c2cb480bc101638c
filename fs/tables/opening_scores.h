// How the openings of a set have been played.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// An average of known values.
struct Average {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;

  // 0 is no value.
  void add(std::uint32_t value) {
    sum += value;
    count += value != 0 ? 1 : 0;
  }
  Average& operator+=(const Average& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
  // Rounded half up; 0 if nothing is known.
  std::uint64_t value() const { return count == 0 ? 0 : (2 * sum + count) / (2 * count); }
};

// The games with one ECO code, extensions aside.
struct OpeningScore {
  unsigned eco_base = 0;  // as codec::eco_base()
  ScoreByColor score;     // of White, or of the subject
  Average year;
  Average elo;  // of both sides
};

// What one thread has counted. With a subject scores are its own; a game without it counts for
// White.
class OpeningTally {
 public:
  OpeningTally();

  // Takes players only with a subject, and all else that ColumnBatch has.
  void add(const ColumnBatch& rows, const std::optional<Subject>& subject);
  OpeningTally& operator+=(const OpeningTally& other);
  // Of all codes that have games: most games first, then by code, games without one before those.
  std::vector<OpeningScore> sorted() &&;

 private:
  std::vector<OpeningScore> openings_;
};

}  // namespace scidfs::fs
