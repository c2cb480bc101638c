#include "fs/positions/moves_played.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/positions/scan_signatures.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"
#include "fs/scan/narrow.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::Reached;
using codec::scid::SignatureFilter;

// The data of one thread of count_moves().
template <class Tally>
struct TableWorker {
  TableWorker(const Database& database, const codec::TargetPosition& target, GameFile::Check check,
              const WorkBudget& budget)
      : records(database, check, budget), seeker(target, database.files().format().castling) {}

  GameRecords records;
  codec::scid::PositionSeeker seeker;
  ColumnBatch rows{MoveTally::Game::kColumns};
  std::vector<GameIndex> to_replay;
  std::vector<std::size_t> rows_to_replay;
  Tally tally;
};

class MoveCount {
 public:
  MoveCount(std::uint32_t part, const codec::TargetPosition& target, ScanSignatures marks)
      : part_(part),
        filter_(SignatureFilter::for_position(target)),
        side_(target.position.side_to_move()),
        marks_(marks) {}

  template <class Tally>
  absl::Status add_block(TableWorker<Tally>& worker, std::size_t block,
                         std::span<const GameIndex> games) const {
    const BlockMask verified = marks_.verified(block);
    worker.to_replay.clear();
    worker.rows_to_replay.clear();
    for (std::size_t row = 0; row < games.size(); ++row) {
      if (is_in(verified, games[row])) {
        const codec::scid::IndexSignature& marks = marks_.of(games[row]);
        if (filter_.is_sure(marks) && filter_.by_line(marks).next.has_value()) {
          add(worker, row, filter_.by_line(marks).next);
          continue;
        }
      }
      worker.to_replay.push_back(games[row]);
      worker.rows_to_replay.push_back(row);
    }
    return worker.records.for_each(worker.to_replay, [&](std::size_t i, Bytes record) {
      const std::optional<Reached> reached = worker.seeker.seek(record);
      if (reached.has_value()) add(worker, worker.rows_to_replay[i], reached->next);
    });
  }

 private:
  template <class Tally>
  void add(TableWorker<Tally>& worker, std::size_t row,
           const std::optional<codec::Move>& next) const {
    worker.tally.add(MoveTally::Game::of(worker.rows, row, part_), next, side_);
  }

  const std::uint32_t part_;
  const SignatureFilter filter_;
  const codec::Color side_;
  const ScanSignatures marks_;
};

// Returns the tally of the moves that games of one part play in a position. REQUIRES: all games
// come to it.
template <class Tally>
absl::StatusOr<Tally> count_part(const GameSet& parts, std::uint32_t part,
                                 const codec::TargetPosition& target, const WorkBudget& budget) {
  const DatabaseGames& set = parts[part];
  const Database& database = *set.database();
  RETURN_IF_ERROR(begin_decoding(database, set.list(), budget));
  ASSIGN_OR_RETURN(const GameScan walk, GameScan::over(set.list(), kMemoryEntriesOfGame, budget));
  ASSIGN_OR_RETURN(ScanSignatures marks, ScanSignatures::of(database, walk.games(), budget));
  const MoveCount count(part, target, marks);
  const std::size_t most = std::max<std::size_t>(1, workers_for(budget, walk.chunks()));
  return scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Tally> {
    std::vector<TableWorker<Tally>> workers;
    workers.reserve(most);
    for (std::size_t i = 0; i < most; ++i) workers.emplace_back(database, target, check, budget);
    RETURN_IF_ERROR(walk.visit_all(
        most, budget,
        [&](std::size_t number, std::size_t block, std::span<const GameIndex> of_block) {
          TableWorker<Tally>& worker = workers[number];
          worker.rows.read(database.index(), block, of_block);
          return count.add_block(worker, block, of_block);
        }));
    for (std::size_t i = 1; i < workers.size(); ++i) workers[0].tally += workers[i].tally;
    return std::move(workers[0].tally);
  });
}

template <class Tally>
absl::StatusOr<Tally> count_moves(const GameSet& parts, const codec::TargetPosition& target,
                                  const WorkBudget& budget) {
  Tally all;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    ASSIGN_OR_RETURN(const Tally tally, count_part<Tally>(parts, part, target, budget));
    all += tally;
  }
  return all;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const MoveTable>> moves_played(const GameSet& parts,
                                                              const codec::TargetPosition& target,
                                                              const WorkBudget& budget) {
  ASSIGN_OR_RETURN(MoveTally tally, count_moves<MoveTally>(parts, target, budget));
  return std::make_shared<const MoveTable>((std::move(tally)).table(target.position));
}

absl::StatusOr<std::shared_ptr<const MoveTally>> tally_moves(const DatabaseGames& set,
                                                             const codec::TargetPosition& target,
                                                             const WorkBudget& budget) {
  ASSIGN_OR_RETURN(MoveTally tally, count_part<MoveTally>(set, 0, target, budget));
  return std::make_shared<const MoveTally>(std::move(tally));
}

absl::StatusOr<YearTally> years_played(const GameSet& parts, const codec::TargetPosition& target,
                                       const WorkBudget& budget) {
  return count_moves<YearTally>(parts, target, budget);
}

}  // namespace scidfs::fs
