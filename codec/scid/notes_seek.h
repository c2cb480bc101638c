// Searches of games for NAGs, evaluations, times of clocks.
// Source: FORMAT.md, section 6.
//
// Each first looks for bytes that must be there, then walks. The moves before a damage count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"
#include "codec/scid/move_notes.h"
#include "codec/scid/notes.h"

namespace scidfs::codec::scid {

// A range of numbers that includes both ends.
struct SoughtRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool contains(std::int64_t number) const { return number >= first && number <= last; }
};

// A search for games with a NAG of a range, as the PGN text shows NAGs, at a move of the main line
// or of a variation. Holds working memory: one for each thread.
class NagSeeker {
 public:
  explicit NagSeeker(SoughtRange nags, CastlingRule rule = CastlingRule::Standard)
      : nags_(nags), reader_(rule) {}

  // Returns the first ply with such a NAG: that of the position after a move of the main line; for
  // moves of a variation that of the position of the main line in which it begins.
  std::optional<std::uint32_t> seek(Bytes record);
  // Returns whether the last record, which has none, has no damage that only NAGs can have: too
  // many at a move.
  bool is_known() const { return is_known_; }

 private:
  // Returns whether a record may have such a NAG, or too many.
  bool must_walk(Bytes record) const;

  const SoughtRange nags_;
  MainLineReader reader_;
  std::vector<Notes> parents_;  // room for the notes of moves with variations
  bool is_known_ = true;
};

// What a NoteSeeker compares.
enum class NoteKind : std::uint8_t {
  Eval,   // hundredths of a pawn as White sees it
  Swing,  // hundredths that a move costs its side, by the evaluations before and after it
  Clock,  // seconds left
};

// A search for games with a value of a range in the comments of the main line. Holds working
// memory: one for each thread.
class NoteSeeker {
 public:
  NoteSeeker(NoteKind kind, SoughtRange values, CastlingRule rule = CastlingRule::Standard)
      : kind_(kind), values_(values), reader_(rule) {}

  // Returns the ply of the first such position; of a swing, that after the move.
  std::optional<std::uint32_t> seek(Bytes record);
  // Returns whether the last record has any value of this kind.
  bool is_known() const { return is_known_; }

 private:
  const NoteKind kind_;
  const SoughtRange values_;
  MainLineReader reader_;
  bool is_known_ = false;
};

}  // namespace scidfs::codec::scid
