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
  // What could not be read: how many entries, and of the first few where and why.
  std::size_t bad_entries = 0;
  std::vector<std::string> problems;
};

// No file has more entries, and no entry more moves or a longer name, than these.
inline constexpr std::size_t kMostNamedLines = 0xFFFE;
inline constexpr std::size_t kMostNamedPlies = 200;
inline constexpr std::size_t kMostNameBytes = 400;
inline constexpr std::size_t kMostEcoProblems = 5;

// Takes any bytes: an entry that cannot be read is left out. Whether the moves are legal is not
// looked at.
EcoFile parse_eco_file(std::string_view text);

// Plays lines from the standard position. It remembers the last one, so that it costs little to
// play many that begin alike, one after the other.
class LinePlayer {
 public:
  // The position that the moves of an entry lead to. InvalidArgument, with the move: one is none.
  absl::StatusOr<Position> play(std::string_view moves);

 private:
  struct Step {
    std::string_view san;
    Position after;
  };
  std::vector<Step> steps_;  // of the last line; its text must live as long
};

}  // namespace scidfs::codec::scid
