#include "fs/tables/set_findings.h"

#include <span>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/scan/parts_scan.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

// The data of one thread.
struct Worker {
  SetFacts facts;
  OpeningTally openings;
  ColumnBatch rows{Column::White,  Column::Black, Column::WhiteRating, Column::BlackRating,
                   Column::Result, Column::Date,  Column::Event,       Column::Eco};
  std::vector<codec::scid::IndexEntry> entries;
};

// Adds the lengths of games of a part, which only the index file has. Each thread gets its blocks
// in the order of the set.
absl::Status add_lengths(const IndexFile& file, std::uint32_t part, std::size_t block,
                         std::span<const GameIndex> games, Worker& worker) {
  if (!worker.facts.may_be_surpassed(file.plies(block))) return absl::OkStatus();
  RETURN_IF_ERROR(file.read_entries(block, games, worker.entries));
  for (std::size_t i = 0; i < games.size(); ++i) {
    worker.facts.add(
        GameLength{.plies = worker.entries[i].plies, .game = {.part = part, .game = games[i]}});
  }
  return absl::OkStatus();
}

}  // namespace

std::size_t SetFindings::memory() const {
  return sizeof *this + facts.years.capacity() * sizeof(std::uint32_t) +
         facts.elo_by_month.capacity() * sizeof(std::uint16_t) +
         openings.capacity() * sizeof(OpeningScore) + players.capacity() * sizeof(PlayerScore);
}

absl::StatusOr<SetFindings> find_out(const GameSet& parts, const Identities& who, Subjects subjects,
                                     std::size_t most_players, const WorkBudget& budget) {
  static_assert(kPlayerEntriesOfGame <= kFileEntriesOfGame);
  ASSIGN_OR_RETURN(const PartsScan walk, PartsScan::over(parts, kPlayerEntriesOfGame, budget));
  if (!walk.spend_blocks(budget)) return WorkBudget::exceeded();
  MemoryClaim memory(budget);
  RETURN_IF_ERROR(memory.grow_to(PlayerTally::memory(who, walk.games())));
  PlayerTally players(who, walk.games(), subjects);
  std::vector<Worker> workers(players.workers(workers_for(budget, walk.chunks())));
  RETURN_IF_ERROR(walk.visit_all(workers.size(), budget,
                                 [&](std::size_t number, std::size_t part, std::size_t block,
                                     std::span<const GameIndex> games) {
                                   Worker& worker = workers[number];
                                   const Database& database = *parts[part].database();
                                   const auto place = static_cast<std::uint32_t>(part);
                                   absl::Status read = add_lengths(database.files().index_file(),
                                                                   place, block, games, worker);
                                   if (!read.ok()) return read;
                                   worker.rows.read(database.index(), block, games);
                                   worker.facts.add(place, worker.rows, subjects.of(part));
                                   worker.openings.add(worker.rows, subjects.of(part));
                                   players.add(part, worker.rows);
                                   return absl::OkStatus();
                                 }));
  Worker& all = workers.front();
  for (std::size_t i = 1; i < workers.size(); ++i) {
    all.facts += workers[i].facts;
    all.openings += workers[i].openings;
  }
  SetFindings findings{.games = walk.games(),
                       .facts = std::move(all.facts),
                       .openings = std::move(all.openings).sorted(),
                       .players = std::move(players).scores()};
  sort_first(who, most_players, findings.players);
  if (findings.players.size() > most_players) findings.players.resize(most_players);
  return findings;
}

}  // namespace scidfs::fs
