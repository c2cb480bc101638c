#include "fs/database/game_bitmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "tests/fs/database/listed_games.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

std::vector<GameIndex> some_games(GameIndex of, unsigned one_in, std::uint64_t seed) {
  tests::Random random(seed);
  std::vector<GameIndex> games;
  for (GameIndex game = 0; game < of; ++game) {
    if (random.below(one_in) == 0) games.push_back(game);
  }
  return games;
}

GameBitmap bits_of(GameIndex of, const std::vector<GameIndex>& games) {
  GameBitmap bits(of);
  for (const GameIndex game : games) bits.add(game);
  return bits;
}

TEST(GameBitmapTest, ContainsAddedList) {
  for (const GameIndex of : {1U, 63U, 64U, 128U, 129U, 70'000U}) {
    const std::vector<GameIndex> games = some_games(of, 3, of);
    DeltaList deltas;
    for (const GameIndex game : games) deltas.add(game);
    GameBitmap bits(of);
    bits.add(GameList::of(deltas.bytes()));
    EXPECT_EQ(games_in(bits.to_deltas()), games) << of;
    EXPECT_EQ(bits.count(), games.size());
  }
}

TEST(GameBitmapTest, ContainsComplementOfList) {
  for (const GameIndex of : {1U, 63U, 64U, 128U, 129U, 70'000U}) {
    for (const unsigned one_in : {1U, 3U, 1000U}) {
      DeltaList missing;
      for (const GameIndex game : some_games(of, one_in, of)) missing.add(game);
      const GameList list = GameList::all_but(of, missing.bytes());
      std::vector<GameIndex> games;
      GameList::Cursor cursor = list.begin();
      for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) {
        games.push_back(game);
      }
      GameBitmap bits(of);
      bits.add(list);
      EXPECT_EQ(games_in(bits.to_deltas()), games) << of;
      EXPECT_EQ(list.count(of), games.size());
      EXPECT_EQ(list.count(games.size() / 2), games.size() / 2);
    }
  }
}

TEST(GameBitmapTest, IntersectsBitmaps) {
  constexpr GameIndex kCount = 1000;
  const std::vector<GameIndex> some = some_games(kCount, 2, 1);
  const std::vector<GameIndex> others = some_games(kCount, 2, 2);
  std::vector<GameIndex> both;
  std::ranges::set_intersection(some, others, std::back_inserter(both));
  GameBitmap bits = bits_of(kCount, some);
  bits &= bits_of(kCount, others);
  EXPECT_EQ(games_in(bits.to_deltas()), both);
}

TEST(GameBitmapTest, ScanVisitsEachGameOnceOnSeveralThreads) {
  constexpr GameIndex kCount = 300'000;
  const std::vector<GameIndex> games = some_games(kCount, 100, 3);
  const WorkBudget budget = WorkBudget::unlimited([] { return false; });
  GameBitmap seen(kCount);
  std::vector<std::size_t> counts(scan_workers(budget));
  const absl::Status status =
      scan_blocks(bits_of(kCount, games), budget,
                  [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
                    EXPECT_EQ(seen.block(block), BlockMask{});
                    seen.set_block(block, mask);
                    for_each_bit(mask, [&](std::size_t) { ++counts[worker]; });
                    return absl::OkStatus();
                  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(games_in(seen.to_deltas()), games);
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  EXPECT_EQ(total, games.size());
}

TEST(GameBitmapTest, ScanStopsWhenCancelled) {
  constexpr GameIndex kCount = 1'000'000;
  const GameBitmap bits = bits_of(kCount, some_games(kCount, 1, 4));
  std::atomic<std::size_t> blocks = 0;
  const absl::Status status = scan_blocks(bits, WorkBudget::unlimited([&] { return blocks > 100; }),
                                          [&](std::size_t, std::size_t, const BlockMask&) {
                                            ++blocks;
                                            return absl::OkStatus();
                                          });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_LT(blocks, bits.blocks() / 2);
}

TEST(GameBitmapTest, ScanStopsAtFirstFailure) {
  constexpr GameIndex kCount = 1'000'000;
  const GameBitmap bits = bits_of(kCount, some_games(kCount, 1, 5));
  std::atomic<std::size_t> blocks = 0;
  const absl::Status status =
      scan_blocks(bits, WorkBudget::unlimited([] { return false; }),
                  [&](std::size_t, std::size_t, const BlockMask&) -> absl::Status {
                    if (++blocks == 50) return absl::DataLossError("unreadable");
                    return absl::OkStatus();
                  });
  EXPECT_EQ(status, absl::DataLossError("unreadable"));
  EXPECT_LT(blocks, bits.blocks() / 2);
}

}  // namespace
}  // namespace scidfs::fs
