#include "fs/search/moves_search.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fs/database/game_bitmap.h"
#include "fs/positions/scan_signatures.h"
#include "fs/scan/game_records.h"
#include "fs/scan/narrow.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::Judged;

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kWordGames = ScanSignatures::kWordGames;

// One thread of narrow_by_moves().
struct MovesWorker {
  MovesWorker(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget) {}

  GameRecords records;
  std::vector<std::unique_ptr<MovesFilter::Seeker>> seekers;
};

class MovesSearch {
 public:
  MovesSearch(const Database& database, std::span<const std::unique_ptr<MovesFilter>> tests,
              ScanSignatures marks)
      : database_(database), tests_(tests), marks_(marks) {}

  MovesWorker worker(GameFile::Check check, const WorkBudget& budget) const {
    MovesWorker worker(database_, check, budget);
    for (const auto& test : tests_) worker.seekers.push_back(test->seeker());
    return worker;
  }

  // Keeps in the mask of a block the games that meet all tests.
  absl::Status narrow_block(MovesWorker& worker, std::size_t block, BlockMask& mask) const {
    std::vector<BlockMask> to_replay(tests_.size(), mask);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const std::uint64_t verified = mask[i] == 0 ? 0 : marks_.verified(block, i);
      if (verified == 0) continue;
      for (std::size_t test = 0; test < tests_.size(); ++test) {
        const Judged judged = tests_[test]->judge(marks_.word(block, i));
        mask[i] &= ~verified | judged.maybe | judged.surely;
        to_replay[test][i] &= ~verified | judged.maybe;
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
    // A game without a record meets no test.
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
  const std::span<const std::unique_ptr<MovesFilter>> tests_;
  const ScanSignatures marks_;
};

}  // namespace

absl::StatusOr<DeltaList> narrow_by_moves(const Database& database, const GameList& games,
                                          std::span<const std::unique_ptr<MovesFilter>> tests,
                                          const WorkBudget& budget) {
  if (absl::Status status = begin_decoding(database, games, budget, tests.size()); !status.ok()) {
    return status;
  }
  absl::StatusOr<ScanSignatures> marks =
      ScanSignatures::of(database, games.count(ScanSignatures::kWorthReading), budget);
  if (!marks.ok()) return marks.status();
  const MovesSearch search(database, tests, *marks);
  return scan_records(database, [&](GameFile::Check check) {
    std::vector<MovesWorker> workers;
    for (std::size_t i = 0; i < scan_workers(budget); ++i) {
      workers.push_back(search.worker(check, budget));
    }
    return narrow(games, database.games(), budget,
                  [&](std::size_t worker, std::size_t block, BlockMask& mask) {
                    return search.narrow_block(workers[worker], block, mask);
                  });
  });
}

}  // namespace scidfs::fs
