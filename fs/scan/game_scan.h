// How all games of a set are looked at, by several threads where there are many.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// A list of games cut into stretches, of which each thread takes the next one when it is done with
// one. No stretch ends inside a block of the index. Immutable; it views the list. Costs nothing for
// games of the database that are not in the list.
class GameScan {
 public:
  // Cut after so many games or a few more: work for a thread that is worth its while.
  static constexpr std::size_t kGamesOfChunk = 4096;

  // Goes through the whole list once. What will be done with so many of its games counts as the
  // decoding of one; Unavailable if that is too much; Cancelled.
  static absl::StatusOr<GameScan> over(const GameList& list, std::size_t games_of_game,
                                       const WorkBudget& budget,
                                       std::size_t games_of_chunk = kGamesOfChunk);

  std::size_t games() const { return games_; }
  // Blocks of the index that have games of the list.
  std::size_t blocks() const { return blocks_; }
  std::size_t chunks() const { return chunks_.size(); }

  // Takes a block of the index and the games of the list that are in it, ascending.
  using VisitBlock =
      absl::FunctionRef<absl::Status(std::size_t block, std::span<const GameIndex> games)>;
  // Calls it for each block of a stretch, ascending, until it fails.
  absl::Status visit_chunk(std::size_t chunk, VisitBlock visit) const;

  // Calls visit(worker, block, games) for all blocks, on `workers` threads at most: each has a
  // number of its own below that. Cancelled when the effort is over, which is looked at before each
  // stretch; the first failure of a visit ends the walk too.
  absl::Status visit_all(std::size_t workers, const WorkBudget& budget,
                         absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block,
                                                        std::span<const GameIndex> games)>
                             visit) const;

  // Takes off the effort what it takes to read a block of the index file for each of blocks(),
  // beyond what over() has taken. False if that is too much.
  bool spend_blocks(const WorkBudget& budget) const {
    return budget.spend(blocks_ - std::min(blocks_, spent_));
  }

  // Bytes of memory that keeping it costs.
  std::size_t memory() const { return chunks_.capacity() * sizeof(chunks_[0]); }

 private:
  struct Chunk {
    GameList::Cursor rest;    // from its first game on
    GameIndex end = kNoGame;  // first game of the next one
  };

  std::vector<Chunk> chunks_;
  std::size_t games_ = 0;
  std::size_t blocks_ = 0;
  std::size_t spent_ = 0;
};

// How many entries of the index count as the decoding of a game: of those in memory, where a few
// columns are looked at; of those in the file, where each block counts as a game, too; and of those
// whose players are counted, which lie all over the memory.
inline constexpr std::size_t kMemoryEntriesOfGame = 1000;
inline constexpr std::size_t kFileEntriesOfGame = 20;
inline constexpr std::size_t kPlayerEntriesOfGame = 20;

// How many names take as long to look through as a game takes to decode, and how many bytes of
// them.
inline constexpr std::size_t kNamesOfGame = 200;
inline constexpr std::size_t kNameBytesOfGame = 8000;

// How many threads are worth their while for so many tasks: one if the effort is not whole.
std::size_t workers_for(const WorkBudget& budget, std::size_t tasks);

// Calls run(worker, task) for tasks 0 .. count-1, on `workers` threads at most: each has a number
// of its own below that. Cancelled when the effort is over, which is looked at before each task;
// the first failure of a task ends all.
absl::Status run_tasks(std::size_t count, std::size_t workers, const WorkBudget& budget,
                       absl::FunctionRef<absl::Status(std::size_t worker, std::size_t task)> run);

}  // namespace scidfs::fs
