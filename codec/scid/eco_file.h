// Scid's file of the names of openings, scid.eco, and its translations.
// Source: FORMAT.md, section 15.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/eco.h"
#include "codec/position.h"

namespace scidfs::codec::scid {

// One entry of the file.
struct NamedLine {
  EcoCode code = 0;
  std::uint32_t plies = 0;
  std::string name;        // clean UTF-8 of one line, not empty
  std::string_view moves;  // SAN with move numbers, in the text of the file
};

struct EcoFile {
  std::vector<NamedLine> lines;  // in the order of the file
  // The problems: how many entries could not be read, and for the first few where and why.
  std::size_t bad_entries = 0;
  std::vector<std::string> problems;
};

// The limits: no file has more entries, and no entry more moves or a longer name.
inline constexpr std::size_t kMostNamedLines = 0xFFFE;
inline constexpr std::size_t kMostNamedPlies = 200;
inline constexpr std::size_t kMostNameBytes = 400;
inline constexpr std::size_t kMostEcoProblems = 5;

// Parses any bytes, leaving out entries that cannot be read. Does not check whether the moves are
// legal.
EcoFile parse_eco_file(std::string_view text);

// A player of lines from the standard position. It remembers the last line, so that similar lines,
// one after the other, cost little.
class LinePlayer {
 public:
  // Returns the position after the moves of an entry. InvalidArgument, with the move, if one is
  // none.
  absl::StatusOr<Position> play(std::string_view moves);

 private:
  struct Step {
    std::string_view san;
    Position after;
  };
  std::vector<Step> steps_;  // of the last line; its text must live as long
};

}  // namespace scidfs::codec::scid
