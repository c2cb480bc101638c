// A walk through all games of a set, by several threads if there are many.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "fs/content/run_tasks.h"
#include "fs/content/work_budget.h"
#include "fs/content/work_cost.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// A list of games cut into chunks. Each thread takes the next chunk when it has finished one. No
// chunk ends inside a block of the index. Immutable; it views the list. Costs nothing for games of
// the database that are not in the list.
class GameScan {
 public:
  // The size of a chunk, which may have a few games more: enough work for a thread.
  static constexpr std::size_t kGamesOfChunk = 4096;

  // Goes through the whole list once. The work for `games_of_game` games of the list counts as the
  // decoding of one game (fs/content/work_cost.h). Returns Unavailable if that is too much;
  // Cancelled.
  static absl::StatusOr<GameScan> over(const GameList& list, std::size_t games_of_game,
                                       const WorkBudget& budget,
                                       std::size_t games_of_chunk = kGamesOfChunk);

  std::size_t games() const { return games_; }
  // Returns the number of blocks of the index that have games of the list.
  std::size_t blocks() const { return blocks_; }
  std::size_t chunks() const { return chunks_.size(); }

  // Takes a block of the index and the games of the list in it, ascending.
  using VisitBlock =
      absl::FunctionRef<absl::Status(std::size_t block, std::span<const GameIndex> games)>;
  // Calls `visit` for each block of a chunk, ascending, until it fails.
  absl::Status visit_chunk(std::size_t chunk, VisitBlock visit) const;

  // Calls visit(worker, block, games) for all blocks, on at most `workers` threads. Each thread has
  // its own number below that. Returns Cancelled when the budget is cancelled, which is checked
  // before each chunk. The first failure of a visit ends the walk too.
  absl::Status visit_all(std::size_t workers, const WorkBudget& budget,
                         absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block,
                                                        std::span<const GameIndex> games)>
                             visit) const;

  // Takes the cost of reading a block of the index file for each of blocks() off the budget, beyond
  // the cost that over() has taken. Returns false if that is too much.
  bool spend_blocks(const WorkBudget& budget) const {
    return budget.spend(blocks_ - std::min(blocks_, spent_));
  }

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const { return chunks_.capacity() * sizeof(chunks_[0]); }

 private:
  struct Chunk {
    GameList::Cursor rest;    // from its first game on
    GameIndex end = kNoGame;  // first game of the next chunk
  };

  std::vector<Chunk> chunks_;
  std::size_t games_ = 0;
  std::size_t blocks_ = 0;
  std::size_t spent_ = 0;
};

// Returns the useful number of threads for `tasks` tasks: one if the budget is limited.
std::size_t workers_for(const WorkBudget& budget, std::size_t tasks);

}  // namespace scidfs::fs
