#include "fs/pages/notable_games.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "codec/scid/seek.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/read_ahead.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/parts_scan.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

// The games with the highest ranks, at most so many.
class Highest {
 public:
  // The rank of a game among those of the set, no two of which have the same.
  struct Ranked {
    std::uint64_t value = 0;
    std::uint64_t order = 0;  // of equal values
    GameOfPart game;

    friend bool operator>(const Ranked& a, const Ranked& b) {
      return std::tie(a.value, a.order) > std::tie(b.value, b.order);
    }
  };

  explicit Highest(std::size_t most) : most_(most) {}

  void add(const Ranked& game) {
    if (most_ == 0 || (heap_.size() == most_ && heap_.front() > game)) return;
    if (heap_.size() == most_) {
      std::ranges::pop_heap(heap_, std::greater());
      heap_.pop_back();
    }
    heap_.push_back(game);
    std::ranges::push_heap(heap_, std::greater());
  }
  void add_all(const Highest& other) {
    for (const Ranked& game : other.heap_) add(game);
  }
  // Returns the games, the highest rank first.
  std::vector<NotableGame> games() && {
    std::ranges::sort(heap_, std::greater());
    std::vector<NotableGame> games;
    games.reserve(heap_.size());
    for (const Ranked& ranked : heap_) games.push_back({.game = ranked.game, .next = {}});
    return games;
  }

 private:
  std::size_t most_;
  std::vector<Ranked> heap_;  // the lowest in front
};

// The games that one thread has seen.
struct Worker {
  Highest strongest, newest;
  ColumnBatch rows{Column::Result, Column::Date, Column::WhiteRating, Column::BlackRating};

  void add(std::uint32_t part) {
    constexpr unsigned kPartShift = 32;  // above the number of a game
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows.result(row) == codec::Result::Unknown) continue;
      const GameOfPart game{.part = part, .game = rows.games()[row]};
      const std::uint64_t place = std::uint64_t{part} << kPartShift | game.game;
      const std::uint64_t ratings =
          std::uint64_t{rows.elo(row, codec::Color::White)} + rows.elo(row, codec::Color::Black);
      strongest.add({.value = ratings, .order = ~place, .game = game});
      newest.add({.value = rows.date(row), .order = place, .game = game});
    }
  }
};

// Finds the moves that games of one part play in the position.
absl::Status find_moves(const GameSet& parts, std::uint32_t part, std::span<NotableGame> games,
                        const codec::TargetPosition& target, const WorkBudget& budget) {
  const Database& database = *parts[part].database();
  std::vector<NotableGame*> of_part;
  ReadAhead ahead(database);
  for (NotableGame& game : games) {
    if (game.game.part != part) continue;
    if (!budget.spend(games_of_record(database, game.game.game))) return WorkBudget::exceeded();
    ahead.add(game.game.game);
    of_part.push_back(&game);
  }
  if (of_part.empty()) return absl::OkStatus();
  ahead.ask();
  using Moves = std::vector<std::optional<codec::Move>>;
  ASSIGN_OR_RETURN(const auto moves,
                   scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Moves> {
                     Moves found(of_part.size());
                     GameRecords records(database, check, budget);
                     codec::scid::PositionSeeker seeker(target, database.files().format().castling);
                     for (std::size_t i = 0; i < of_part.size(); ++i) {
                       RETURN_IF_ERROR(records.for_each(std::span(&of_part[i]->game.game, 1),
                                                        [&](std::size_t, codec::Bytes record) {
                                                          const auto reached = seeker.seek(record);
                                                          if (reached.has_value())
                                                            found[i] = reached->next;
                                                        }));
                     }
                     return found;
                   }));
  for (std::size_t i = 0; i < of_part.size(); ++i) of_part[i]->next = moves[i];
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<NotableGames> notable_games(const GameSet& parts,
                                           const codec::TargetPosition& target,
                                           std::size_t most_strongest, std::size_t most_newest,
                                           const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PartsScan scan, PartsScan::over(parts, kMemoryEntriesOfGame, budget));
  std::vector<Worker> workers(
      std::max<std::size_t>(1, workers_for(budget, scan.chunks())),
      Worker{.strongest = Highest(most_strongest), .newest = Highest(most_newest)});
  RETURN_IF_ERROR(scan.visit_all(workers.size(), budget,
                                 [&](std::size_t worker, std::size_t part, std::size_t block,
                                     std::span<const GameIndex> games) {
                                   workers[worker].rows.read(parts[part].database()->index(), block,
                                                             games);
                                   workers[worker].add(static_cast<std::uint32_t>(part));
                                   return absl::OkStatus();
                                 }));
  for (std::size_t i = 1; i < workers.size(); ++i) {
    workers[0].strongest.add_all(workers[i].strongest);
    workers[0].newest.add_all(workers[i].newest);
  }
  NotableGames found{.strongest = std::move(workers[0].strongest).games(),
                     .newest = std::move(workers[0].newest).games()};
  for (std::vector<NotableGame>* const games : {&found.strongest, &found.newest}) {
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      RETURN_IF_ERROR(find_moves(parts, part, *games, target, budget));
    }
  }
  return found;
}

}  // namespace scidfs::fs
