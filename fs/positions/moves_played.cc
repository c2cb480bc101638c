#include "fs/positions/moves_played.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fs/positions/believed_marks.h"
#include "fs/scan/game_records.h"
#include "fs/scan/narrow.h"
#include "fs/scan/set_rows.h"
#include "fs/scan/set_walk.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::MarksFilter;
using codec::scid::Reached;

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kWordGames = BelievedMarks::kWordGames;

// One thread of count_moves().
template <class Tally>
struct TableWorker {
  TableWorker(const Database& database, const codec::PositionGoal& goal, GameFile::Check check,
              const Effort& effort)
      : records(database, check, effort), seeker(goal, database.format().castling) {}

  GameRecords records;
  codec::scid::PositionSeeker seeker;
  SetRows rows{MoveTally::Game::kColumns};
  std::vector<GameIndex> to_replay;
  std::vector<std::size_t> rows_to_replay;
  Tally tally;
};

class MoveCount {
 public:
  MoveCount(const codec::PositionGoal& goal, BelievedMarks marks)
      : filter_(MarksFilter::for_position(goal)),
        side_(goal.position.side_to_move()),
        marks_(std::move(marks)) {}

  template <class Tally>
  absl::Status add_block(TableWorker<Tally>& worker, std::size_t block,
                         std::span<const GameIndex> games) const {
    const BlockMask believed = {marks_.believed(block, 0), marks_.believed(block, 1)};
    worker.to_replay.clear();
    worker.rows_to_replay.clear();
    for (std::size_t row = 0; row < games.size(); ++row) {
      const std::size_t i = games[row] % kBlock;
      if ((believed[i / kWordGames] >> i % kWordGames & 1) != 0) {
        const codec::scid::GameMarks& marks = marks_.of(games[row]);
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
    worker.tally.add(MoveTally::Game::of(worker.rows, row), next, side_);
  }

  const MarksFilter filter_;
  const codec::Color side_;
  const BelievedMarks marks_;
};

// What the games of a set, which all come to a position, add to a tally.
template <class Tally>
absl::StatusOr<Tally> count_moves(const GameSet& set, const codec::PositionGoal& goal,
                                  const Effort& effort) {
  const Database& database = *set.database();
  if (absl::Status status = begin_decoding(database, set.list(), effort); !status.ok()) {
    return status;
  }
  const absl::StatusOr<SetWalk> walk = SetWalk::over(set.list(), kMemoryEntriesOfGame, effort);
  if (!walk.ok()) return walk.status();
  absl::StatusOr<BelievedMarks> marks = BelievedMarks::of(database, walk->games(), effort);
  if (!marks.ok()) return marks.status();
  const MoveCount count(goal, *std::move(marks));
  const std::size_t most = std::max<std::size_t>(1, workers_for(effort, walk->stretches()));
  return scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Tally> {
    std::vector<TableWorker<Tally>> workers;
    workers.reserve(most);
    for (std::size_t i = 0; i < most; ++i) workers.emplace_back(database, goal, check, effort);
    absl::Status status = walk->visit_all(
        most, effort,
        [&](std::size_t number, std::size_t block, std::span<const GameIndex> of_block) {
          TableWorker<Tally>& worker = workers[number];
          worker.rows.read(database.index(), block, of_block);
          return count.add_block(worker, block, of_block);
        });
    if (!status.ok()) return status;
    for (std::size_t i = 1; i < workers.size(); ++i) workers[0].tally += workers[i].tally;
    return std::move(workers[0].tally);
  });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const MoveTable>> moves_played(const GameSet& set,
                                                              const codec::PositionGoal& goal,
                                                              const Effort& effort) {
  absl::StatusOr<MoveTally> tally = count_moves<MoveTally>(set, goal, effort);
  if (!tally.ok()) return tally.status();
  return std::make_shared<const MoveTable>((*std::move(tally)).table(goal.position));
}

absl::StatusOr<YearTally> years_played(const GameSet& set, const codec::PositionGoal& goal,
                                       const Effort& effort) {
  return count_moves<YearTally>(set, goal, effort);
}

}  // namespace scidfs::fs
