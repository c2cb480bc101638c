// The tables of a set against the lines of a repertoire. All are made of one replay.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/repertoire/replay.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// Paths are those of positions from the directory of a set, "positions/FEN" with two fields; lines
// are those of LineWriter. Errors of all: Cancelled; those of WorkBudget::take_memory().

// left.tsv, a line for each game that counts, in the order of the set:
//   number ply left move moves path result
// Ply is how many moves came before the last position in the lines. Moves are those that stand
// there, with commas between. A game that never comes to the lines has only number and result. Of
// several databases a column `database` follows. Further errors: Unimplemented for a set of more
// than kMostLeaves games.
absl::StatusOr<std::string> left_table(const RepertoireReplay& replay, const GameSet& parts,
                                       const Subjects& subjects, const WorkBudget& budget);

// A move of the other side to which the lines have no reply. Score and Elo as in moves.tsv.
struct Gap {
  SideLines::Place place = 0;
  const PlayedMove* move = nullptr;  // of the replay
};
// Returns the gaps of a replay: in positions with moves of the other side, those of its moves after
// which no move of mine stands. Most games first, then in the order of the positions.
absl::StatusOr<std::vector<Gap>> find_gaps(const RepertoireReplay& replay,
                                           const WorkBudget& budget);

// gaps.tsv, a line for each gap: move games score average_elo last_year line path
absl::StatusOr<std::string> gap_table(const RepertoireReplay& replay, const WorkBudget& budget);

// choices.tsv, a line for each move of mine in positions that have several: move games score line
// path. Positions with most games first, then in their order; so are the moves of each.
absl::StatusOr<std::string> choice_table(const RepertoireReplay& replay, const WorkBudget& budget);

// unused.tsv, a line for each position that no game comes to, though one comes to a position before
// it, or a game of the repertoire begins there: positions line path. Positions are those below it
// that no game comes to, and that have no line themselves; one below several counts for the first
// of them. So lines and positions add up to all that no game comes to. Most positions first, then
// in the order of the repertoire.
absl::StatusOr<std::string> unused_table(const RepertoireReplay& replay, const WorkBudget& budget);

// summary.txt: the scores of games by who left the lines, how deep half of the games stay in them,
// by ECO code, and the ten gaps that cost most points: as many as their games scored less than all
// games. `title` names the set.
absl::StatusOr<std::string> lines_summary(const RepertoireReplay& replay, std::string_view title,
                                          const WorkBudget& budget);

}  // namespace scidfs::fs
