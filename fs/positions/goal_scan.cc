#include "fs/positions/goal_scan.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "codec/scid/main_line.h"
#include "fs/positions/goal_boards.h"
#include "fs/positions/goal_hits.h"
#include "fs/scan/game_records.h"
#include "fs/scan/set_rows.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::Position;
using codec::PositionGoal;
using codec::scid::RecordHead;
using Hit = GoalHits::Hit;

// What all threads share.
struct Goals {
  explicit Goals(std::span<const PositionGoal> wanted)
      : all(wanted),
        with_rights(!wanted.empty() && wanted.front().with_rights),
        boards(wanted),
        plies(boards.size(), 1) {}

  const std::span<const PositionGoal> all;
  const bool with_rights;
  const GoalBoards boards;
  const std::vector<unsigned> plies;  // the move that follows a hit is wanted
};

// One thread's part.
class Counter {
 public:
  Counter(const Database& database, const Goals& goals, GameFile::Check check, const Effort& effort)
      : database_(database),
        goals_(goals),
        records_(database, check, effort),
        hits_(goals.boards, goals.plies,
              goals.with_rights ? GoalHits::Which::All : GoalHits::Which::First),
        seen_(goals.with_rights ? goals.all.size() : 0, kNoGame),
        tallies_(goals.all.size()) {}

  std::vector<MoveTally>& tallies() { return tallies_; }

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
    const GameSizes& sizes = database_.sizes();
    const bool is_whole = sizes.is_known(game) && !sizes.is_damaged(game);
    const MoveTally::Game facts = MoveTally::Game::of(rows_, row);
    if (goals_.with_rights) {
      count_by_rights(game, facts, hits, record, head);
    } else {
      // A replay cannot err in what the walk comes to.
      const std::uint32_t plies = is_whole
                                      ? std::numeric_limits<std::uint32_t>::max()
                                      : walk_positions(walker_, record, hits_.wanted_part(), head,
                                                       [](std::uint32_t, const Position&) {});
      for (const Hit& hit : hits) {
        if (hit.ply > plies) break;
        goals_.boards.for_each_goal(hit.board,
                                    [&](std::uint32_t goal) { add(goal, facts, hit, plies); });
      }
    }
  }

  void count_by_rights(GameIndex game, const MoveTally::Game& facts, std::span<const Hit> hits,
                       Bytes record, const RecordHead& head) {
    met_.clear();
    const auto look = [&, hit = hits.begin()](std::uint32_t ply, const Position& position) mutable {
      if (hit == hits.end() || hit->ply != ply) return;
      goals_.boards.for_each_goal(hit->board, [&](std::uint32_t goal) {
        if (seen_[goal] == game || !goals_.all[goal].is_met_by(position)) return;
        seen_[goal] = game;
        met_.push_back({.goal = goal, .hit = &*hit});
      });
      ++hit;
    };
    const std::uint32_t plies = walk_positions(walker_, record, hits_.wanted_part(), head, look);
    for (const Met& met : met_) add(met.goal, facts, *met.hit, plies);
  }

  // `plies`: how many moves of the game the walk comes to.
  void add(std::uint32_t goal, const MoveTally::Game& facts, const Hit& hit, std::uint32_t plies) {
    const Color side = goals_.all[goal].position.side_to_move();
    tallies_[goal].add(facts, hit.ply < plies ? hit.next : std::nullopt, side);
  }

  struct Met {
    std::uint32_t goal = 0;
    const Hit* hit = nullptr;
  };

  const Database& database_;
  const Goals& goals_;
  GameRecords records_;
  GoalHits hits_;
  codec::scid::Walker walker_;
  SetRows rows_{MoveTally::Game::kColumns};
  std::vector<GameIndex> seen_;  // by goal, where rights count: the last game that came to it
  std::vector<Met> met_;
  std::vector<MoveTally> tallies_;  // by goal
};

}  // namespace

absl::StatusOr<std::vector<MoveTally>> count_moves(const Database& database, const GameBits& games,
                                                   std::span<const PositionGoal> goals,
                                                   const Effort& effort) {
  const Goals wanted(goals);
  return scan_records(
      database, [&](GameFile::Check check) -> absl::StatusOr<std::vector<MoveTally>> {
        // A thread that gets nothing to do has nothing.
        std::vector<std::unique_ptr<Counter>> counters(scan_workers(effort));
        absl::Status status = scan_blocks(
            games, effort, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
              std::unique_ptr<Counter>& counter = counters[worker];
              if (counter == nullptr)
                counter = std::make_unique<Counter>(database, wanted, check, effort);
              return counter->count(block, mask);
            });
        if (!status.ok()) return status;
        std::vector<MoveTally> all(goals.size());
        for (const std::unique_ptr<Counter>& counter : counters) {
          if (counter == nullptr) continue;
          for (std::size_t goal = 0; goal < all.size(); ++goal) {
            all[goal] += counter->tallies()[goal];
          }
        }
        return all;
      });
}

}  // namespace scidfs::fs
