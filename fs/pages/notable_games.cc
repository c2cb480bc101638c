#include "fs/pages/notable_games.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "codec/scid/seek.h"
#include "fs/database/decoding.h"
#include "fs/database/read_ahead.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

// The games with the greatest values, at most so many.
class Greatest {
 public:
  explicit Greatest(std::size_t most) : most_(most) {}

  // REQUIRES: no two games have the same value.
  void add(std::uint64_t value, GameIndex game) {
    if (most_ == 0 || (heap_.size() == most_ && value < heap_.front().first)) return;
    if (heap_.size() == most_) {
      std::ranges::pop_heap(heap_, std::greater());
      heap_.pop_back();
    }
    heap_.emplace_back(value, game);
    std::ranges::push_heap(heap_, std::greater());
  }
  void add_all(const Greatest& other) {
    for (const auto& [value, game] : other.heap_) add(value, game);
  }
  // Returns the games, the greatest value first.
  std::vector<GameIndex> games() const {
    std::vector<std::pair<std::uint64_t, GameIndex>> sorted = heap_;
    std::ranges::sort(sorted, std::greater());
    std::vector<GameIndex> games;
    games.reserve(sorted.size());
    for (const auto& [value, game] : sorted) games.push_back(game);
    return games;
  }

 private:
  std::size_t most_;
  std::vector<std::pair<std::uint64_t, GameIndex>> heap_;  // the least in front
};

// The games that one thread has seen.
struct Worker {
  Greatest strongest, newest;
  ColumnBatch rows{Column::Result, Column::Date, Column::WhiteRating, Column::BlackRating};

  void add() {
    constexpr unsigned kValueShift = 32;  // above the number of a game
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows.result(row) == codec::Result::Unknown) continue;
      const GameIndex game = rows.games()[row];
      const std::uint64_t ratings =
          std::uint64_t{rows.elo(row, codec::Color::White)} + rows.elo(row, codec::Color::Black);
      strongest.add(ratings << kValueShift | (kNoGame - game), game);
      newest.add(std::uint64_t{rows.date(row)} << kValueShift | game, game);
    }
  }
};

// Finds the moves that some games play in the position.
absl::StatusOr<std::vector<NotableGame>> with_moves(const Database& database,
                                                    const std::vector<GameIndex>& games,
                                                    const codec::TargetPosition& target,
                                                    const WorkBudget& budget) {
  ReadAhead ahead(database);
  for (const GameIndex game : games) {
    if (!budget.spend(games_of_record(database, game))) return WorkBudget::exceeded();
    ahead.add(game);
  }
  ahead.ask();
  return scan_records(
      database, [&](GameFile::Check check) -> absl::StatusOr<std::vector<NotableGame>> {
        std::vector<NotableGame> notable;
        GameRecords records(database, check, budget);
        codec::scid::PositionSeeker seeker(target, database.files().format().castling);
        for (const GameIndex game : games) {
          notable.push_back({.game = game, .next = {}});
          absl::Status status =
              records.for_each(std::span(&game, 1), [&](std::size_t, codec::Bytes record) {
                const auto reached = seeker.seek(record);
                if (reached.has_value()) notable.back().next = reached->next;
              });
          if (!status.ok()) return status;
        }
        return notable;
      });
}

}  // namespace

absl::StatusOr<NotableGames> notable_games(const GameSet& set, const codec::TargetPosition& target,
                                           std::size_t most_strongest, std::size_t most_newest,
                                           const WorkBudget& budget) {
  const Database& database = *set.database();
  const absl::StatusOr<GameScan> scan = GameScan::over(set.list(), kMemoryEntriesOfGame, budget);
  if (!scan.ok()) return scan.status();
  std::vector<Worker> workers(
      std::max<std::size_t>(1, workers_for(budget, scan->chunks())),
      Worker{.strongest = Greatest(most_strongest), .newest = Greatest(most_newest)});
  absl::Status status =
      scan->visit_all(workers.size(), budget,
                      [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
                        workers[worker].rows.read(database.index(), block, games);
                        workers[worker].add();
                        return absl::OkStatus();
                      });
  if (!status.ok()) return status;
  for (std::size_t i = 1; i < workers.size(); ++i) {
    workers[0].strongest.add_all(workers[i].strongest);
    workers[0].newest.add_all(workers[i].newest);
  }
  NotableGames found;
  for (const auto& [greatest, games] : {std::pair(&workers[0].strongest, &found.strongest),
                                        std::pair(&workers[0].newest, &found.newest)}) {
    absl::StatusOr<std::vector<NotableGame>> notable =
        with_moves(database, greatest->games(), target, budget);
    if (!notable.ok()) return notable.status();
    *games = *std::move(notable);
  }
  return found;
}

}  // namespace scidfs::fs
