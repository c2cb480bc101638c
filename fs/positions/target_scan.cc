#include "fs/positions/target_scan.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/positions/line_tally.h"
#include "fs/positions/met_targets.h"
#include "fs/positions/target_boards.h"
#include "fs/positions/target_hits.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::TargetPosition;
using codec::scid::RecordHead;
using Hit = TargetHits::Hit;

// Targets whose tallies are added up between two looks at the budget.
constexpr std::size_t kTargetsOfLook = 4096;

// The target positions, shared by all threads.
struct Targets {
  Targets(std::span<const TargetPosition> wanted, const WorkBudget& budget)
      : all(wanted),
        with_rights(!wanted.empty() && wanted.front().with_rights),
        boards(wanted, budget),
        plies(boards.size(), 1) {}

  const std::span<const TargetPosition> all;
  const bool with_rights;
  const TargetBoards boards;
  const std::vector<unsigned> plies;  // 1: the move that follows a hit
};

// The part of one thread.
template <class Tally>
class Counter {
 public:
  Counter(const Database& database, std::uint32_t part, const Targets& targets,
          GameFile::Check check, const WorkBudget& budget)
      : database_(database),
        part_(part),
        targets_(targets),
        records_(database, check, budget),
        hits_(targets.boards, targets.plies,
              targets.with_rights ? TargetHits::Which::All : TargetHits::Which::First),
        met_(database, targets.boards, targets.with_rights ? targets.all : decltype(targets.all)()),
        seen_(targets.with_rights ? targets.all.size() : 0, kNoGame),
        memory_(budget),
        tallies_(targets.all.size()) {}

  // Takes the memory that the tallies will have. Errors: those of WorkBudget::take_memory().
  absl::Status take_memory() {
    constexpr std::size_t kMoves = 8;  // of a usual position
    return memory_.grow_to(tallies_.size() * (sizeof(Tally) + kMoves * sizeof(LineTally::Row)));
  }
  std::vector<Tally>& tallies() { return tallies_; }

  absl::Status count(std::size_t block, const BlockMask& mask) {
    const BlockGames games(block, mask);
    rows_.read(database_.index(), block, games);
    return records_.for_each_game(games,
                                  [this](std::size_t row, Bytes record, const RecordHead& head) {
                                    count_game(row, record, head);
                                  });
  }

 private:
  void count_game(std::size_t row, Bytes record, const RecordHead& head) {
    const GameIndex game = rows_.games()[row];
    const std::span<const Hit> hits = hits_.find(game, record, head);
    if (hits.empty()) return;
    const MoveTally::Game facts = MoveTally::Game::of(rows_, row, part_);
    if (targets_.with_rights) {
      count_by_rights(game, facts, hits, record, head);
    } else {
      const std::uint32_t plies = hits_.right_plies(database_.sizes(), game, record, head);
      for (const Hit& hit : hits) {
        if (hit.ply > plies) break;
        targets_.boards.for_each_target(
            hit.board, [&](std::uint32_t target) { add(target, facts, hit, plies); });
      }
    }
  }

  void count_by_rights(GameIndex game, const MoveTally::Game& facts, std::span<const Hit> hits,
                       Bytes record, const RecordHead& head) {
    for (const MetTargets::Place& place : met_.find(game, record, head, hits_, hits)) {
      if (!place.has_rights || seen_[place.target] == game) continue;
      seen_[place.target] = game;
      add(place.target, facts, *place.hit, met_.plies());
    }
  }

  // `plies`: how many moves of the game the walk reaches.
  void add(std::uint32_t target, const MoveTally::Game& facts, const Hit& hit,
           std::uint32_t plies) {
    const Color side = targets_.all[target].position.side_to_move();
    tallies_[target].add(facts, hit.ply < plies ? hit.next : std::nullopt, side);
  }

  const Database& database_;
  const std::uint32_t part_;
  const Targets& targets_;
  GameRecords records_;
  TargetHits hits_;
  MetTargets met_;
  ColumnBatch rows_{MoveTally::Game::kColumns};
  std::vector<GameIndex> seen_;  // where rights count, by target: the last game that came to it
  MemoryClaim memory_;
  std::vector<Tally> tallies_;  // by target position
};

// Returns the tallies of count_moves() or count_lines().
template <class Tally>
absl::StatusOr<std::vector<Tally>> count_all(const Database& database, std::uint32_t part,
                                             const GameBitmap& games,
                                             std::span<const TargetPosition> targets,
                                             const WorkBudget& budget) {
  assert(std::ranges::all_of(targets, [&](const TargetPosition& target) {
    return target.with_rights == targets.front().with_rights;
  }));
  const Targets wanted(targets, budget);
  return scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<std::vector<Tally>> {
    // A thread without work needs no counter.
    std::vector<std::unique_ptr<Counter<Tally>>> counters(scan_workers(budget));
    RETURN_IF_ERROR(scan_blocks(
        games, budget, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
          std::unique_ptr<Counter<Tally>>& counter = counters[worker];
          if (counter == nullptr) {
            counter = std::make_unique<Counter<Tally>>(database, part, wanted, check, budget);
            RETURN_IF_ERROR(counter->take_memory());
          }
          return counter->count(block, mask);
        }));
    std::vector<Tally> all(targets.size());
    for (const std::unique_ptr<Counter<Tally>>& counter : counters) {
      if (counter == nullptr) continue;
      StepWatch watch(budget, kTargetsOfLook);
      for (std::size_t target = 0; target < all.size(); ++target) {
        if (watch.is_cancelled()) return WorkBudget::cancelled();
        all[target] += counter->tallies()[target];
      }
    }
    return all;
  });
}

}  // namespace

absl::StatusOr<std::vector<MoveTally>> count_moves(const Database& database, std::uint32_t part,
                                                   const GameBitmap& games,
                                                   std::span<const TargetPosition> targets,
                                                   const WorkBudget& budget) {
  return count_all<MoveTally>(database, part, games, targets, budget);
}

absl::StatusOr<std::vector<LineTally>> count_lines(const Database& database,
                                                   const GameBitmap& games,
                                                   std::span<const TargetPosition> targets,
                                                   const WorkBudget& budget) {
  return count_all<LineTally>(database, 0, games, targets, budget);
}

}  // namespace scidfs::fs
