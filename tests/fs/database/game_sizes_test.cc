#include "fs/database/game_sizes.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/cache/threads.h"

namespace scidfs::fs {
namespace {

TEST(GameSizes, ReturnRecordedSizes) {
  const GameSizes sizes(3);
  EXPECT_FALSE(sizes.is_known(1));
  EXPECT_EQ(sizes.size(1), std::nullopt);
  EXPECT_TRUE(sizes.record(1, 700, false));
  EXPECT_TRUE(sizes.record(2, 800, true));
  EXPECT_EQ(sizes.size(1), 700U);
  EXPECT_EQ(sizes.size(2), 800U);
  EXPECT_FALSE(sizes.is_damaged(0));
  EXPECT_FALSE(sizes.is_damaged(1));
  EXPECT_TRUE(sizes.is_damaged(2));
  EXPECT_EQ(sizes.damaged().size(), 1U);
  EXPECT_EQ(sizes.known(), 2U);
  EXPECT_FALSE(sizes.complete());
}

TEST(GameSizes, RefuseOtherSizeForKnownGame) {
  const GameSizes sizes(1);
  EXPECT_TRUE(sizes.record(0, 700, false));
  EXPECT_TRUE(sizes.record(0, 700, false));
  EXPECT_FALSE(sizes.record(0, 701, false));
  EXPECT_FALSE(sizes.record(0, 700, true));
  EXPECT_EQ(sizes.size(0), 700U);
  EXPECT_FALSE(sizes.is_damaged(0));
}

TEST(GameSizes, KnowWhichSignaturesAreVerified) {
  const GameSizes sizes(70);
  EXPECT_TRUE(sizes.record(1, 700, false, true));
  EXPECT_TRUE(sizes.record(2, 700, false, false));
  EXPECT_TRUE(sizes.record(69, 700, true, true));
  EXPECT_FALSE(sizes.has_verified_signature(0));
  EXPECT_TRUE(sizes.has_verified_signature(1));
  EXPECT_FALSE(sizes.has_verified_signature(2));
  EXPECT_EQ(sizes.size(1), 700U);
  EXPECT_FALSE(sizes.is_damaged(1));
  EXPECT_TRUE(sizes.is_damaged(69));
  EXPECT_EQ(sizes.verified_signatures(0, 64), 2U);
  EXPECT_EQ(sizes.verified_signatures(1, 1), 1U);
  EXPECT_EQ(sizes.verified_signatures(6, 64), std::uint64_t{1} << 63);
  EXPECT_EQ(sizes.verified_signatures(2, 0), 0U);
}

TEST(GameSizes, KeepVerifiedSignatureIfLaterRecordLacksIt) {
  const GameSizes sizes(2);
  EXPECT_TRUE(sizes.record(0, 700, false, true));
  EXPECT_TRUE(sizes.record(0, 700, false));
  EXPECT_TRUE(sizes.has_verified_signature(0));
  EXPECT_FALSE(sizes.record(0, 701, false, true));
  EXPECT_TRUE(sizes.record(1, 700, false));
  EXPECT_TRUE(sizes.record(1, 700, false, true));
  EXPECT_FALSE(sizes.has_verified_signature(1));
}

TEST(GameSizes, AdoptDamage) {
  const GameSizes before(2);
  before.record(0, 700, true);
  GameSizes sizes(2);
  sizes.adopt(before.words());
  EXPECT_TRUE(sizes.is_damaged(0));
  EXPECT_EQ(sizes.size(0), 700U);
  EXPECT_FALSE(sizes.is_known(1));
}

TEST(GameSizes, AdoptVerifiedSignatures) {
  const GameSizes before(2);
  before.record(0, 700, false, true);
  before.record(1, 800, false);
  GameSizes sizes(2);
  sizes.adopt(before.words());
  EXPECT_EQ(sizes.verified_signatures(0, 2), 1U);
  EXPECT_EQ(sizes.size(0), 700U);
  sizes.adopt({GameSizes::without_verified(before.word(0)), 0});
  EXPECT_FALSE(sizes.has_verified_signature(0));
  EXPECT_EQ(sizes.size(0), 700U);
}

TEST(GameSizes, AdoptedWordsCountUnlessTheyAreZero) {
  GameSizes sizes(3);
  sizes.adopt({5, 0, 7});
  EXPECT_EQ(sizes.known(), 2U);
  EXPECT_TRUE(sizes.record(1, 0, false)) << "no size";
  EXPECT_FALSE(sizes.complete());
  EXPECT_TRUE(sizes.record(1, 6, false));
  EXPECT_TRUE(sizes.complete());
  EXPECT_EQ(sizes.words(), (std::vector<std::uint32_t>{5, 6, 7}));
}

// The memory of another owner may be read-only.
TEST(GameSizes, WordsOfAnotherOwnerAreNeverWritten) {
  static constexpr std::array<std::uint32_t, 3> kWords = {700, 0, 800};
  GameSizes sizes(3);
  sizes.adopt_all(kWords, {});
  EXPECT_TRUE(sizes.complete());
  EXPECT_TRUE(sizes.record(0, 700, false));
  EXPECT_FALSE(sizes.record(1, 700, false)) << "nothing will ever be known of it";
  EXPECT_EQ(sizes.size(1), std::nullopt);
  EXPECT_FALSE(sizes.record(2, 700, false));
}

// All threads record all sizes, in different orders; one that sees that all are known reads them at
// once.
TEST(GameSizes, ManyThreadsFillOneTable) {
  constexpr GameIndex kMany = 20'000;
  constexpr unsigned kWriters = 4;
  const GameSizes sizes(kMany);
  cache::run_threads(kWriters + 1, [&](unsigned thread) {
    if (thread == kWriters) {
      std::size_t before = 0;
      while (!sizes.complete()) {
        const std::size_t known = sizes.known();
        ASSERT_GE(known, before);
        before = known;
        ASSERT_LE(sizes.word(static_cast<GameIndex>(known % kMany)), kMany);
        std::this_thread::yield();
      }
      std::size_t sum = 0;
      for (GameIndex game = 0; game < kMany; ++game) sum += sizes.word(game);
      ASSERT_EQ(sum, std::size_t{kMany} * (kMany + 1) / 2);
      return;
    }
    for (GameIndex i = 0; i < kMany; ++i) {
      const GameIndex game = (i + thread * kMany / kWriters) % kMany;
      ASSERT_TRUE(sizes.record(game, game + 1, false));
    }
  });
  EXPECT_EQ(sizes.known(), kMany);
}

TEST(GameSizes, CompletionIsReportedOnce) {
  constexpr int kRounds = 100;
  constexpr GameIndex kGames = 200;
  for (int round = 0; round < kRounds; ++round) {
    GameSizes sizes(kGames);
    std::atomic<int> calls = 0;
    std::atomic<bool> was_complete = true;
    sizes.on_complete([&] {
      ++calls;
      if (!sizes.complete()) was_complete = false;
    });
    // Each thread records all games.
    const auto work = [&sizes] {
      for (GameIndex game = 0; game < kGames; ++game) sizes.record(game, 100 + game, false);
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(calls, 1);
    ASSERT_TRUE(was_complete);
  }
}

TEST(GameSizes, InitialCompletenessIsNotReported) {
  GameSizes sizes(2);
  int calls = 0;
  sizes.on_complete([&calls] { ++calls; });
  sizes.adopt({700, 800});
  EXPECT_TRUE(sizes.complete());
  EXPECT_TRUE(sizes.record(0, 700, false));
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(GameSizes(0).complete());
}

}  // namespace
}  // namespace scidfs::fs
