// Scores of the openings of a set.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// An average of known values.
struct Average {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;

  // Adds a value; 0 means unknown.
  void add(std::uint32_t value) {
    sum += value;
    count += value != 0 ? 1 : 0;
  }
  Average& operator+=(const Average& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
  // Returns the average, rounded half up; 0 if nothing is known.
  std::uint64_t value() const { return count == 0 ? 0 : (2 * sum + count) / (2 * count); }
};

// The games with one ECO code, ignoring extensions.
struct OpeningScore {
  unsigned eco_base = 0;  // as codec::eco_base()
  ScoreByColor score;     // of White, or of the subject
  Average year;
  Average elo;  // of both sides
};

// The counts of one thread. With a subject, scores are the subject's; a game without the subject
// counts for White.
class OpeningTally {
 public:
  OpeningTally();

  // Adds games; `subject` may be null. Reads the players only if there is a subject, and all other
  // columns of ColumnBatch.
  void add(const ColumnBatch& rows, const Subject* subject);
  OpeningTally& operator+=(const OpeningTally& other);
  // Returns all codes that have games: most games first, then by code; on equal games those without
  // a code come first.
  std::vector<OpeningScore> sorted() &&;

 private:
  std::vector<OpeningScore> openings_;
};

}  // namespace scidfs::fs
