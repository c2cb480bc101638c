// The lines of a set as one PGN game with variations.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/position.h"
#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/line_bounds.h"
#include "fs/positions/move_table.h"

namespace scidfs::fs {

// Where the lines of a set begin.
struct LineStart {
  codec::TargetPosition position{};  // what is counted
  codec::Position first{};           // the position in which the game begins
  std::vector<codec::Move> moves{};  // those from there to the position
};

// The game without its first tag, which names the set; or the reason why there is none, which took
// as long to find out. Immutable.
class LineText {
 public:
  // Each move has a comment, `{1,204: 54.3%}`: its games in MoveTable::moves() and White's score,
  // as far as a result is known. If the position after it goes on elsewhere, the comment ends with
  // the moves that lead there. A comment before the first move tells the bounds. Errors: those of
  // find_line_tree(), other than Unimplemented.
  static absl::StatusOr<std::shared_ptr<const LineText>> make(const GameSet& parts,
                                                              const LineStart& start,
                                                              const LineBounds& bounds,
                                                              const WorkBudget& budget,
                                                              KnownTable known = no_table);

  // Returns the whole game; Unimplemented if the lines have too many moves.
  absl::StatusOr<std::string> with_title(std::string_view title) const;
  std::size_t memory() const { return sizeof *this + (text_.ok() ? text_->capacity() : 0); }

 private:
  explicit LineText(absl::StatusOr<std::string> text) : text_(std::move(text)) {}

  const absl::StatusOr<std::string> text_;
};

}  // namespace scidfs::fs
