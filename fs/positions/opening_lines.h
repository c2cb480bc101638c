// The lines of moves that a tree lists, chosen by the tables of its positions.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/target_position.h"
#include "fs/positions/move_table.h"
#include "fs/positions/position_sample.h"

namespace scidfs::fs {

// Lines of moves. Lines with different moves differ even if they come to the same position. A
// value.
class OpeningLines {
 public:
  // Returns the moves listed after a line, as SAN, most games first. Returns none if the line
  // itself is not listed; the line without moves always is.
  std::span<const std::string> after(std::span<const codec::Move> line) const;

  // Returns the bytes of memory that it takes.
  std::size_t memory() const;

 private:
  friend class LineFinder;
  struct Line {
    // The moves listed after the line.
    std::vector<std::string> names;
    std::vector<MoveNumber> numbers;
    std::vector<std::uint32_t> lines;
  };
  std::vector<Line> lines_{1};
};

struct FoundLines {
  OpeningLines lines;
  // By codec::position_name(), of the root and of each line; repeated if several lines lead there.
  std::vector<std::string> positions;
  // Positions that are or may be listed and have no table, so that no move is listed after them.
  std::vector<Onward> missing;
};

struct LineLimits {
  unsigned plies = 0;
  std::size_t lines = 0;
};

// Follows legal moves from the root, those that at least one game plays and at least one in a
// hundred of the games that come to the root. Lines with most games come first, then by SAN of the
// whole line. `table_of` takes a position with its codec::position_name(), and returns null if
// there is no table.
using TableOfPosition = absl::FunctionRef<const MoveTable*(const std::string& name,
                                                           const codec::TargetPosition& position)>;
FoundLines find_lines(const codec::TargetPosition& root, const LineLimits& limits,
                      TableOfPosition table_of);

}  // namespace scidfs::fs
