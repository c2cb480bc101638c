#include "fs/sets/moves_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "fs/database/game_bits.h"
#include "fs/sets/game_records.h"
#include "fs/sets/narrow.h"
#include "fs/sets/set_rows.h"
#include "fs/sets/set_walk.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::Judged;
using codec::scid::MarksFilter;
using codec::scid::Reached;

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kWordGames = 64;

// The marks of the games of a database, as far as they are worth having and may be believed.
class BelievedMarks {
 public:
  // So many games take longer to replay than the marks of a large database to read.
  static constexpr std::size_t kWorthReading = 20'000;

  // For so many games. What is not there yet is made if there are enough of them.
  static absl::StatusOr<BelievedMarks> of(const Database& database, std::size_t games,
                                          const Effort& effort) {
    BelievedMarks marks(database);
    marks.table_ = database.made_marks();
    if (marks.table_ != nullptr || games < kWorthReading) return marks;
    absl::StatusOr<Database::MarksPtr> made = database.marks(effort);
    if (!made.ok()) return made.status();
    marks.table_ = *std::move(made);
    return marks;
  }

  // The marks of a word of games.
  std::span<const codec::scid::GameMarks> word(std::size_t block, std::size_t word) const {
    const std::size_t first = block * kBlock + word * kWordGames;
    return std::span(table_->games)
        .subspan(first, std::min(kWordGames, table_->games.size() - first));
  }
  const codec::scid::GameMarks& of(GameIndex game) const { return table_->games[game]; }

  // Those of a word of games whose marks may be believed.
  std::uint64_t believed(std::size_t block, std::size_t word) const {
    if (table_ == nullptr) return 0;
    const std::size_t first = block * kBlock + word * kWordGames;
    if (first >= table_->games.size()) return 0;
    if (table_->are_sound) return ~std::uint64_t{0};
    return database_->sizes().sound_marks(
        static_cast<GameIndex>(first),
        static_cast<unsigned>(std::min(kWordGames, table_->games.size() - first)));
  }

 private:
  explicit BelievedMarks(const Database& database) : database_(&database) {}

  const Database* database_;
  Database::MarksPtr table_;
};

// One thread of narrow_by_moves().
struct MovesWorker {
  MovesWorker(const Database& database, GameFile::Check check, const Effort& effort)
      : records(database, check, effort) {}

  GameRecords records;
  std::vector<std::unique_ptr<MovesTest::Seeker>> seekers;
};

class MovesSearch {
 public:
  MovesSearch(const Database& database, std::span<const std::unique_ptr<MovesTest>> tests,
              BelievedMarks marks)
      : database_(database), tests_(tests), marks_(std::move(marks)) {}

  MovesWorker worker(GameFile::Check check, const Effort& effort) const {
    MovesWorker worker(database_, check, effort);
    for (const auto& test : tests_) worker.seekers.push_back(test->seeker());
    return worker;
  }

  // Leaves in the mask of a block the games that meet all tests.
  absl::Status narrow_block(MovesWorker& worker, std::size_t block, BlockMask& mask) const {
    std::vector<BlockMask> to_replay(tests_.size(), mask);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const std::uint64_t believed = mask[i] == 0 ? 0 : marks_.believed(block, i);
      if (believed == 0) continue;
      for (std::size_t test = 0; test < tests_.size(); ++test) {
        const Judged judged = tests_[test]->judge(marks_.word(block, i));
        mask[i] &= ~believed | judged.maybe | judged.surely;
        to_replay[test][i] &= ~believed | judged.maybe;
      }
    }
    return replay(worker, block, to_replay, mask);
  }

 private:
  absl::Status replay(MovesWorker& worker, std::size_t block, std::span<const BlockMask> to_replay,
                      BlockMask& mask) const {
    BlockMask any{};
    for (const BlockMask& of_test : to_replay) {
      for (std::size_t i = 0; i < any.size(); ++i) any[i] |= of_test[i] & mask[i];
    }
    const BlockGames games(block, any);
    const std::span<const GameIndex> wanted = games;
    // A game without a record does not come to anything.
    BlockMask met{};
    absl::Status status = worker.records.for_each(wanted, [&](std::size_t game, Bytes record) {
      const std::size_t i = wanted[game] % kBlock;
      const std::uint64_t bit = std::uint64_t{1} << i % kWordGames;
      for (std::size_t test = 0; test < tests_.size(); ++test) {
        const bool is_known = (to_replay[test][i / kWordGames] & bit) == 0;
        if (!is_known && !worker.seekers[test]->meets(record)) return;
      }
      met[i / kWordGames] |= bit;
    });
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= ~any[i] | met[i];
    return status;
  }

  const Database& database_;
  const std::span<const std::unique_ptr<MovesTest>> tests_;
  const BelievedMarks marks_;
};

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

absl::StatusOr<GameDeltas> narrow_by_moves(const Database& database, const GameList& games,
                                           std::span<const std::unique_ptr<MovesTest>> tests,
                                           const Effort& effort) {
  if (absl::Status status = begin_decoding(database, games, effort, tests.size()); !status.ok()) {
    return status;
  }
  absl::StatusOr<BelievedMarks> marks =
      BelievedMarks::of(database, games.count(BelievedMarks::kWorthReading), effort);
  if (!marks.ok()) return marks.status();
  const MovesSearch search(database, tests, *std::move(marks));
  return scan_records(database, [&](GameFile::Check check) {
    std::vector<MovesWorker> workers;
    for (std::size_t i = 0; i < scan_workers(effort); ++i) {
      workers.push_back(search.worker(check, effort));
    }
    return narrow(games, database.games(), effort,
                  [&](std::size_t worker, std::size_t block, BlockMask& mask) {
                    return search.narrow_block(workers[worker], block, mask);
                  });
  });
}

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
