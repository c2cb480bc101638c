#include "fs/positions/polyglot_book.h"

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "codec/polyglot_key.h"
#include "codec/scid/main_line.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/run_tasks.h"
#include "fs/database/decoding.h"
#include "fs/positions/polyglot_counts.h"
#include "fs/positions/polyglot_sketch.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"
#include "fs/scan/score.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Move;
using codec::Position;

constexpr std::size_t kGamesOfChunk = 512;
constexpr std::size_t kChunksOfWorker = 2;  // read before their plies are visited

// Keys are in shards by their highest bits, so that threads count at once, and the shards in turn
// are the book in order.
constexpr unsigned kShardBits = 8;
constexpr std::size_t kShards = std::size_t{1} << kShardBits;
constexpr std::size_t shard_of(std::uint64_t key) { return key >> (64 - kShardBits); }

struct Range {
  std::size_t first = 0;
  std::size_t end = kShards;
};

// Plies by shard, each in the order of the games.
using ShardedPlies = std::array<std::vector<PolyglotPly>, kShards>;

// A visitor of the main line of a game (codec/scid/main_line.h).
class PlyCollector {
 public:
  PlyCollector(codec::Result result, std::uint32_t plies, Range range, ShardedPlies& out)
      : result_(result), left_(plies), range_(range), out_(out) {}

  void start(const Position& position) {
    rolling_ = codec::PolyglotKey(position);
    key_ = rolling_.value(position);
  }
  void move(const Position& after, const Move& move) {
    if (left_ == 0) return;
    --left_;
    const Color us = ~after.side_to_move();
    const std::size_t shard = shard_of(key_);
    const bool counts = shard >= range_.first && shard < range_.end &&
                        move.kind != codec::MoveKind::Null && !after.in_check(us);
    if (counts) {
      out_[shard].push_back({.key = key_,
                             .move = codec::polyglot_move(move, us, after.castling_homes()),
                             .points = points(us)});
    }
    rolling_.follow(after, move);
    key_ = rolling_.value(after);
  }

 private:
  std::uint16_t points(Color us) const {
    constexpr std::array<std::uint16_t, 4> kOfOutcome = {2, 1, 0, 1};
    return kOfOutcome[static_cast<std::size_t>(outcome_of(result_, us))];
  }

  const codec::Result result_;
  std::uint32_t left_;
  const Range range_;
  ShardedPlies& out_;
  codec::PolyglotKey rolling_;
  std::uint64_t key_ = 0;
};

// The games of a set, through which a book is made in several passes. The set and the budget
// outlive it.
class Games {
 public:
  // Errors: see polyglot_book().
  static absl::StatusOr<Games> of(const GameSet& parts, std::uint32_t plies,
                                  const WorkBudget& budget) {
    Games games(plies, budget);
    for (const DatabaseGames& set : parts) {
      // Passes beyond the second are those of an unlimited budget.
      absl::Status status = begin_decoding(*set.database(), set.list(), budget, 2);
      if (!status.ok()) return status;
      ASSIGN_OR_RETURN(GameScan scan,
                       GameScan::over(set.list(), kMemoryEntriesOfGame, budget, kGamesOfChunk));
      games.parts_.push_back({.database = *set.database(), .scan = std::move(scan)});
    }
    return games;
  }

  // Returns about how many plies there are, or more.
  std::size_t plies() const {
    constexpr std::uint32_t kMostOfUsualGames = 128;
    std::size_t games = 0;
    for (const PartGames& part : parts_) games += part.scan.games();
    return games * std::min(plies_, kMostOfUsualGames);
  }
  const WorkBudget& budget() const { return budget_; }
  // Returns whether no game file has changed since it was opened.
  bool are_as_opened() const {
    return std::ranges::all_of(parts_, [](const PartGames& part) {
      return part.database.files().game_file().is_as_opened();
    });
  }

  // Calls visit(shard, plies) for each shard of a range many times, with its plies in their order;
  // several threads do, but only one for a shard. Before each round of that it calls `prepare`
  // with how many plies of each shard come next; it may shorten the range, or fail.
  using Visit = absl::FunctionRef<void(std::size_t shard, std::span<const PolyglotPly> plies)>;
  using Prepare = absl::FunctionRef<absl::Status(std::span<const std::size_t> plies)>;
  absl::Status visit_plies(GameFile::Check check, const Range& range, Visit visit,
                           Prepare prepare) const {
    for (const PartGames& part : parts_) {
      RETURN_IF_ERROR(visit_part(part, check, range, visit, prepare));
    }
    return absl::OkStatus();
  }

 private:
  struct PartGames {
    const Database& database;
    GameScan scan;
  };
  struct Worker {
    GameRecords records;
    codec::scid::Walker walker{};
    ColumnBatch rows{ColumnBatch::Column::Result};
  };

  Games(std::uint32_t plies, const WorkBudget& budget) : plies_(plies), budget_(budget) {}

  absl::Status visit_part(const PartGames& part, GameFile::Check check, const Range& range,
                          Visit visit, Prepare prepare) const {
    const std::size_t chunks = part.scan.chunks();
    std::vector<Worker> workers;
    const std::size_t most = std::max<std::size_t>(1, workers_for(budget_, chunks));
    workers.reserve(most);
    for (std::size_t i = 0; i < most; ++i) {
      workers.push_back({.records = GameRecords(part.database, check, budget_)});
    }
    std::vector<ShardedPlies> read(std::min(chunks, kChunksOfWorker * most));
    for (std::size_t first = 0; first < chunks; first += read.size()) {
      const std::size_t count = std::min(read.size(), chunks - first);
      RETURN_IF_ERROR(run_tasks(count, most, budget_, [&](std::size_t worker, std::size_t task) {
        return collect(part, first + task, range, workers[worker], read[task]);
      }));
      std::array<std::size_t, kShards> plies{};
      for (std::size_t shard = range.first; shard < range.end; ++shard) {
        for (std::size_t i = 0; i < count; ++i) plies[shard] += read[i][shard].size();
      }
      RETURN_IF_ERROR(prepare(plies));
      const auto visit_shard = [&](std::size_t, std::size_t task) {
        for (std::size_t i = 0; i < count; ++i) {
          visit(range.first + task, read[i][range.first + task]);
        }
        return absl::OkStatus();
      };
      RETURN_IF_ERROR(run_tasks(range.end - range.first, most, budget_, visit_shard));
    }
    return absl::OkStatus();
  }

  absl::Status collect(const PartGames& part, std::size_t chunk, Range range, Worker& worker,
                       ShardedPlies& out) const {
    for (std::vector<PolyglotPly>& of_shard : out) of_shard.clear();
    return part.scan.visit_chunk(chunk, [&](std::size_t block, std::span<const GameIndex> games) {
      worker.rows.read(part.database.index(), block, games);
      return worker.records.for_each_game(
          games, [&](std::size_t i, codec::Bytes record, const codec::scid::RecordHead& head) {
            PlyCollector collector(worker.rows.result(i), plies_, range, out);
            walk_main_line(worker.walker, record, record, head, collector);
          });
    });
  }

  const std::uint32_t plies_;
  const WorkBudget& budget_;
  std::vector<PartGames> parts_;
};

// Finds by a first pass, roughly, which moves are played often enough to be counted: most are
// played once, and need no memory then.
class Sieve {
 public:
  Sieve(std::uint32_t games, const WorkBudget& budget)
      : fewest_(std::min(games, PolyglotSketch::kMost)), memory_(budget) {}

  absl::Status fill(const Games& games, GameFile::Check check, std::size_t most_bytes) {
    if (!is_used()) return absl::OkStatus();
    absl::Status taken;
    // Half as many counters where the budget has no room for more: the book takes more passes.
    for (std::size_t counters = std::min(2 * games.plies(), 4 * most_bytes) / kShards;;
         counters /= 2) {
      const PolyglotSketch empty(counters);
      taken = memory_.grow_to(kShards * empty.memory());
      if (absl::IsResourceExhausted(taken) && counters > 1) continue;
      if (!taken.ok()) return taken;
      shards_.assign(kShards, empty);
      break;
    }
    return games.visit_plies(
        check, {},
        [&](std::size_t shard, std::span<const PolyglotPly> plies) {
          for (const PolyglotPly& ply : plies) shards_[shard].add(ply);
        },
        [](std::span<const std::size_t>) { return absl::OkStatus(); });
  }
  bool may_count(std::size_t shard, const PolyglotPly& ply) const {
    return !is_used() || shards_[shard].games(ply) >= fewest_;
  }

 private:
  bool is_used() const { return fewest_ > 1; }

  const std::uint32_t fewest_;
  MemoryClaim memory_;
  std::vector<PolyglotSketch> shards_;
};

// Counts as many shards, from `first` on, as have room, and appends their part of the book. Returns
// the end of these shards.
absl::StatusOr<std::size_t> append_shards(const Games& games, GameFile::Check check,
                                          const Sieve& sieve, std::uint32_t fewest,
                                          std::size_t first, std::size_t most_bytes,
                                          MemoryClaim& of_book, std::string& book) {
  MemoryClaim of_counts(games.budget());
  std::vector<PolyglotCounts> counts(kShards);
  Range range{.first = first};
  RETURN_IF_ERROR(games.visit_plies(
      check, range,
      [&](std::size_t shard, std::span<const PolyglotPly> plies) {
        for (const PolyglotPly& ply : plies) {
          if (sieve.may_count(shard, ply)) counts[shard].add(ply);
        }
      },
      [&](std::span<const std::size_t> plies) {
        std::size_t memory = 0;
        for (std::size_t shard = range.first; shard < range.end; ++shard) {
          memory += counts[shard].memory_after(plies[shard]);
        }
        absl::Status taken = of_counts.grow_to(memory);
        while ((memory > most_bytes || absl::IsResourceExhausted(taken)) &&
               range.end - range.first > 1) {
          --range.end;
          memory -= counts[range.end].memory_after(plies[range.end]);
          counts[range.end] = PolyglotCounts();
          taken = of_counts.grow_to(memory);
        }
        of_counts.shrink_to(memory);
        return taken;
      }));
  for (std::size_t shard = range.first; shard < range.end; ++shard) {
    if (games.budget().is_cancelled()) return WorkBudget::cancelled();
    // The book may move when it grows.
    RETURN_IF_ERROR(of_book.grow_to(2 * (book.size() + counts[shard].memory())));
    counts[shard].append_entries(fewest, book);
  }
  return range.end;
}

absl::StatusOr<std::string> make_book(const Games& games, GameFile::Check check,
                                      std::uint32_t fewest, std::size_t most_bytes) {
  Sieve sieve(fewest, games.budget());
  RETURN_IF_ERROR(sieve.fill(games, check, most_bytes));
  MemoryClaim of_book(games.budget());
  std::string book;
  for (std::size_t shard = 0; shard < kShards;) {
    ASSIGN_OR_RETURN(const std::size_t end,
                     append_shards(games, check, sieve, fewest, shard, most_bytes, of_book, book));
    shard = end;
  }
  return book;
}

}  // namespace

absl::StatusOr<std::string> polyglot_book(const GameSet& parts, const PolyglotBounds& bounds,
                                          const WorkBudget& budget, std::size_t most_bytes) {
  ASSIGN_OR_RETURN(const Games games, Games::of(parts, bounds.plies, budget));
  absl::StatusOr<std::string> book =
      make_book(games, GameFile::Check::Later, bounds.games, most_bytes);
  if (games.are_as_opened() || absl::IsCancelled(book.status())) return book;
  return make_book(games, GameFile::Check::Now, bounds.games, most_bytes);
}

}  // namespace scidfs::fs
