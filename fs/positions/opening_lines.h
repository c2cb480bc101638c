// The lines of moves that a tree lists, by the tables of its positions.
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

// Lines are told apart by their moves, even if they come to the same position. A value.
class OpeningLines {
 public:
  // The moves that are listed after a line, as SAN, most games first. None if the line itself is
  // not listed; that without moves always is.
  std::span<const std::string> after(std::span<const codec::Move> line) const;

  // Bytes of memory that keeping it costs.
  std::size_t memory() const;

 private:
  friend class LineFinder;
  struct Line {
    // What is listed after it.
    std::vector<std::string> names;
    std::vector<MoveNumber> numbers;
    std::vector<std::uint32_t> lines;
  };
  std::vector<Line> lines_{1};
};

struct FoundLines {
  OpeningLines lines;
  // By codec::position_name(), of the root and of each line; more than once if several lead there.
  std::vector<std::string> positions;
  // Positions that are listed or may be, and have no table: nothing is listed after them.
  std::vector<Onward> missing;
};

struct LineLimits {
  unsigned plies = 0;
  std::size_t lines = 0;
};

// Goes down from the root along legal moves that at least one in a hundred of the games play which
// come to the root, one at least; those with most games first, then by SAN of the whole line.
// `table_of` takes a codec::position_name() and gives null if there is no table.
FoundLines find_lines(const codec::TargetPosition& root, const LineLimits& limits,
                      absl::FunctionRef<const MoveTable*(const std::string& position)> table_of);

}  // namespace scidfs::fs
