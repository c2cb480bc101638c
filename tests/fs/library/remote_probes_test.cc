// Looks that may never end.
#include "fs/library/remote_probes.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <thread>

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void wait_for(const std::function<bool()>& what) {
  while (!what()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(RemoteProbes, WhatEndsSoonIsWaitedFor) {
  RemoteProbes looks([] { ADD_FAILURE() << "nothing was late"; });
  int done = 0;
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(looks.finish("here", [&done] {
      std::this_thread::sleep_for(milliseconds(10));
      ++done;
    }));
    EXPECT_EQ(done, i);
  }
  EXPECT_TRUE(looks.forget("here"));
}

TEST(RemoteProbes, WhatHangsIsWaitedForOnce) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  std::atomic<int> looked = 0;
  RemoteProbes looks([&] { ++late; });
  const auto hang = [&] {
    ++looked;
    wait_for([&] { return is_open.load(); });
  };
  EXPECT_FALSE(looks.finish("hanging", hang));
  const auto start = steady_clock::now();
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    EXPECT_FALSE(looks.finish("hanging", hang));
    EXPECT_TRUE(looks.finish("working", [] {}));
  }
  EXPECT_LT(steady_clock::now() - start, kTimes * RemoteProbes::kPatience / 2);
  EXPECT_EQ(looked, 1);
  EXPECT_EQ(late, 0);
  EXPECT_FALSE(looks.forget("hanging"));
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_TRUE(looks.finish("hanging", hang));
  EXPECT_EQ(looked, 1) << "the one that has ended counts";
}

TEST(RemoteProbes, WhatIsForgottenIsLookedAtAnew) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  RemoteProbes looks([&] { ++late; });
  EXPECT_TRUE(looks.forget("nobody has looked"));
  EXPECT_FALSE(looks.finish("gone", [&] { wait_for([&] { return is_open.load(); }); }));
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_TRUE(looks.forget("gone"));
  bool looked = false;
  EXPECT_TRUE(looks.finish("gone", [&] { looked = true; }));
  EXPECT_TRUE(looked);
}

TEST(RemoteProbes, ALookThatThrowsHasEnded) {
  RemoteProbes looks([] {});
  EXPECT_TRUE(looks.finish("here", [] { throw std::bad_alloc(); }));
}

TEST(RemoteResult, TheLastOneStaysUntilAProbeHasEnded) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  RemoteProbes looks([&] { ++late; });
  RemoteResult<int> result;
  EXPECT_EQ(result.set(1), 1);
  const auto hang = [&] {
    wait_for([&] { return is_open.load(); });
    return 2;
  };
  EXPECT_FALSE(result.update(looks, "hanging", hang));
  EXPECT_FALSE(result.update(looks, "hanging", [] { return 3; }));
  EXPECT_FALSE(result.forget(looks));
  EXPECT_EQ(result.last(), 1);
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_EQ(result.last(), 1) << "no call has taken the result";
  EXPECT_TRUE(result.update(looks, "hanging", [] { return 3; }));
  EXPECT_EQ(result.last(), 2) << "of the probe that has ended";
  EXPECT_TRUE(result.update(looks, "hanging", [] { return 3; }));
  EXPECT_EQ(result.last(), 3);
  EXPECT_TRUE(result.forget(looks));
  EXPECT_EQ(result.last(), 0);
}

TEST(RemoteResult, StaysWhenALookThrows) {
  RemoteProbes looks([] {});
  RemoteResult<int> result;
  result.set(1);
  EXPECT_FALSE(result.update(looks, "here", []() -> int { throw std::bad_alloc(); }));
  EXPECT_EQ(result.last(), 1);
  EXPECT_TRUE(result.update(looks, "here", [] { return 2; }));
  EXPECT_EQ(result.last(), 2);
}

}  // namespace
}  // namespace scidfs::fs
