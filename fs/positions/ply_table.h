// The plies of a set's games, for programs: plies.tsv and games.uci.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

enum class PlyText : std::uint8_t {
  Table,  // a line for each position of the main lines, PlyColumns::All; with `database` of several
  Uci,    // a line for each game: its moves as UCI writes them
};

// Where the sections of such a text end, which takes a pass over the games to find.
struct PlySizes {
  SectionEnds ends;

  std::size_t memory() const { return sizeof *this + ends->capacity() * sizeof((*ends)[0]); }
};

// Finds the sizes for the games of a set, for which it decodes them once. Errors: Unavailable if
// that exceeds the budget; Unimplemented if no file may have all of these games (begin_decoding());
// Cancelled; those of GameFile::read().
absl::StatusOr<std::shared_ptr<const PlySizes>> measure_plies(const GameSet& games, PlyText text,
                                                              const WorkBudget& budget);
// Returns the text, which is made when it is read. REQUIRES: the sizes are those of the text.
// Errors: Unavailable; Cancelled.
absl::StatusOr<std::unique_ptr<Content>> open_plies(const GameSet& games, PlyText text,
                                                    const PlySizes& sizes,
                                                    const WorkBudget& budget);

}  // namespace scidfs::fs
