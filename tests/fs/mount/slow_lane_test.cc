// Answers that take long.
#include "fs/mount/slow_lane.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "fs/file/distance.h"
#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

// Asks seldom: many threads wait at a time.
void await(const std::function<bool()>& what) {
  while (!what()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(SlowLane, GivesEachAnswerOnAThreadOfItsOwn) {
  std::atomic<int> waiting = 0;
  std::atomic<int> given = 0;
  const std::thread::id here = std::this_thread::get_id();
  SlowLane lane;
  constexpr int kAnswers = 8;
  for (int i = 0; i < kAnswers; ++i) {
    lane.give(SlowLane::kNear, never, [&](const Effort& effort) {
      EXPECT_TRUE(effort.is_whole());
      EXPECT_NE(std::this_thread::get_id(), here);
      // All are at work at once.
      ++waiting;
      await([&] { return waiting == kAnswers; });
      ++given;
    });
  }
  await([&] { return given == kAnswers; });
}

TEST(SlowLane, MoreThanThereAreThreadsWaitTheirTurn) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> given = 0;
  SlowLane lane;
  constexpr std::size_t kAnswers = 3 * SlowLane::kMostThreads;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.give(SlowLane::kNear, never, [&](const Effort&) {
      await([&] { return is_open.load(); });
      ++given;
    });
  }
  EXPECT_EQ(given, 0U);
  is_open = true;
  await([&] { return given == kAnswers; });
}

TEST(SlowLane, WhoHasLeftEndsHisAnswerAlone) {
  std::atomic<bool> has_left = false;
  std::atomic<bool> ended = false;
  std::atomic<bool> other_is_over = true;
  SlowLane lane;
  lane.give(
      SlowLane::kNear, [&] { return has_left.load(); },
      [&](const Effort& effort) {
        await([&] { return effort.is_over(); });
        ended = true;
      });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(ended);
  has_left = true;
  await([&] { return ended.load(); });
  lane.give(SlowLane::kNear, never,
            [&](const Effort& effort) { other_is_over = effort.is_over(); });
  await([&] { return !other_is_over; });
}

TEST(SlowLane, ClosingEndsAllAndEachIsAnswered) {
  std::atomic<std::size_t> given = 0;
  SlowLane lane;
  constexpr std::size_t kAnswers = 2 * SlowLane::kMostThreads;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.give(SlowLane::kNear, never, [&](const Effort& effort) {
      await([&] { return effort.is_over(); });
      ++given;
    });
  }
  lane.close();
  EXPECT_EQ(given, kAnswers);
  // Later ones are over before they begin.
  lane.give(SlowLane::kNear, never,
            [&](const Effort& effort) { given += effort.is_over() ? 1 : 0; });
  EXPECT_EQ(given, kAnswers + 1);
}

TEST(SlowLane, WhatHangsFarAwayTakesItsOwnThreadsOnly) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> given = 0;
  SlowLane lane;
  constexpr SlowLane::Owner kHanging = 7;
  constexpr SlowLane::Owner kOther = 8;
  constexpr std::size_t kAnswers = 4 * SlowLane::kMostOfOne;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.give(kHanging, never, [&](const Effort& effort) {
      EXPECT_EQ(effort.threads(), kFarThreads);
      ++waiting;
      await([&] { return is_open.load(); });
      ++given;
    });
  }
  await([&] { return waiting == SlowLane::kMostOfOne; });
  for (const SlowLane::Owner owner : {SlowLane::kNear, kOther}) {
    std::atomic<bool> is_given = false;
    lane.give(owner, never, [&](const Effort&) { is_given = true; });
    await([&] { return is_given.load(); });
  }
  EXPECT_EQ(waiting, SlowLane::kMostOfOne);
  is_open = true;
  await([&] { return given == kAnswers; });
}

TEST(SlowLane, HoweverMuchIsFarThereIsRoomForWhatIsNear) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  SlowLane lane;
  constexpr std::size_t kServers = SlowLane::kMostFar / SlowLane::kMostOfOne + 3;
  for (SlowLane::Owner owner = 1; owner <= kServers; ++owner) {
    for (std::size_t i = 0; i < SlowLane::kMostOfOne; ++i) {
      lane.give(owner, never, [&](const Effort&) {
        ++waiting;
        await([&] { return is_open.load(); });
      });
    }
  }
  await([&] { return waiting == SlowLane::kMostFar; });
  std::atomic<bool> is_given = false;
  lane.give(SlowLane::kNear, never, [&](const Effort&) { is_given = true; });
  await([&] { return is_given.load(); });
  EXPECT_EQ(waiting, SlowLane::kMostFar);
  is_open = true;
}

}  // namespace
}  // namespace scidfs::fs
