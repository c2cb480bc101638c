#include "fs/pages/notable_games.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "codec/scid/seek.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/read_ahead.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/parts_scan.h"

namespace scidfs::fs {
namespace {

// The games that one thread has seen.
struct Worker {
  NotableTally tally;
  ColumnBatch rows{NotableTally::kColumns};
};

std::vector<NotableGame> without_moves(const std::vector<GameOfPart>& games) {
  std::vector<NotableGame> notable;
  notable.reserve(games.size());
  for (const GameOfPart& game : games) notable.push_back({.game = game, .next = {}});
  return notable;
}

// Finds the moves that games of one part play in the position. Returns whether all come to it.
absl::StatusOr<bool> find_moves(const GameSet& parts, std::uint32_t part,
                                std::span<NotableGame> games, const codec::TargetPosition& target,
                                const WorkBudget& budget) {
  const Database& database = *parts[part].database();
  std::vector<NotableGame*> of_part;
  ReadAhead ahead(database);
  for (NotableGame& game : games) {
    if (game.game.part != part) continue;
    if (!budget.spend(games_of_record(database, game.game.game))) return WorkBudget::exceeded();
    ahead.add(game.game.game);
    of_part.push_back(&game);
  }
  if (of_part.empty()) return true;
  ahead.ask();
  struct Move {
    bool is_there = false;
    std::optional<codec::Move> next;
  };
  using Moves = std::vector<Move>;
  ASSIGN_OR_RETURN(
      const auto moves, scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Moves> {
        Moves found(of_part.size());
        GameRecords records(database, check, budget);
        codec::scid::PositionSeeker seeker(target, database.files().format().castling);
        for (std::size_t i = 0; i < of_part.size(); ++i) {
          RETURN_IF_ERROR(records.for_each(std::span(&of_part[i]->game.game, 1),
                                           [&](std::size_t, codec::Bytes record) {
                                             const auto reached = seeker.seek(record);
                                             if (!reached.has_value()) return;
                                             found[i] = {.is_there = true, .next = reached->next};
                                           }));
        }
        return found;
      }));
  for (std::size_t i = 0; i < of_part.size(); ++i) of_part[i]->next = moves[i].next;
  return std::ranges::all_of(moves, &Move::is_there);
}

// Does the same for games of all parts.
absl::StatusOr<bool> find_all_moves(const GameSet& parts, NotableGames& games,
                                    const codec::TargetPosition& target, const WorkBudget& budget) {
  bool all_come = true;
  for (std::vector<NotableGame>* const list : {&games.strongest, &games.newest}) {
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      ASSIGN_OR_RETURN(const bool come, find_moves(parts, part, *list, target, budget));
      all_come &= come;
    }
  }
  return all_come;
}

}  // namespace

absl::StatusOr<NotableGames> notable_games(const GameSet& parts,
                                           const codec::TargetPosition& target,
                                           std::size_t most_strongest, std::size_t most_newest,
                                           const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PartsScan scan, PartsScan::over(parts, kMemoryEntriesOfGame, budget));
  std::vector<Worker> workers(std::max<std::size_t>(1, workers_for(budget, scan.chunks())),
                              Worker{.tally = {most_strongest, most_newest}});
  RETURN_IF_ERROR(scan.visit_all(workers.size(), budget,
                                 [&](std::size_t worker, std::size_t part, std::size_t block,
                                     std::span<const GameIndex> games) {
                                   Worker& own = workers[worker];
                                   own.rows.read(parts[part].database()->index(), block, games);
                                   for (std::size_t row = 0; row < own.rows.size(); ++row) {
                                     own.tally.add(own.rows, row, static_cast<std::uint32_t>(part));
                                   }
                                   return absl::OkStatus();
                                 }));
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].tally += workers[i].tally;
  NotableGames found{.strongest = without_moves(workers[0].tally.strongest()),
                     .newest = without_moves(workers[0].tally.newest())};
  RETURN_IF_ERROR(find_all_moves(parts, found, target, budget).status());
  return found;
}

absl::StatusOr<NotableGames> with_moves(const GameSet& parts,
                                        const std::vector<GameOfPart>& strongest,
                                        const std::vector<GameOfPart>& newest,
                                        const codec::TargetPosition& target,
                                        const WorkBudget& budget) {
  NotableGames found{.strongest = without_moves(strongest), .newest = without_moves(newest)};
  ASSIGN_OR_RETURN(const bool all_come, find_all_moves(parts, found, target, budget));
  if (!all_come) return absl::NotFoundError("a game does not come to the position");
  return found;
}

}  // namespace scidfs::fs
