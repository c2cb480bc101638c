// Probes that may never finish.
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

TEST(RemoteProbes, QuickProbeIsWaitedFor) {
  RemoteProbes probes([] { ADD_FAILURE() << "nothing was late"; });
  int done = 0;
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(probes.finish("here", [&done] {
      std::this_thread::sleep_for(milliseconds(10));
      ++done;
    }));
    EXPECT_EQ(done, i);
  }
  EXPECT_TRUE(probes.forget("here"));
}

TEST(RemoteProbes, HangingProbeIsWaitedForOnce) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  std::atomic<int> started = 0;
  RemoteProbes probes([&] { ++late; });
  const auto hang = [&] {
    ++started;
    wait_for([&] { return is_open.load(); });
  };
  EXPECT_FALSE(probes.finish("hanging", hang));
  const auto start = steady_clock::now();
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    EXPECT_FALSE(probes.finish("hanging", hang));
    EXPECT_TRUE(probes.finish("working", [] {}));
  }
  EXPECT_LT(steady_clock::now() - start, kTimes * RemoteProbes::kPatience / 2);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(late, 0);
  EXPECT_FALSE(probes.forget("hanging"));
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_TRUE(probes.finish("hanging", hang));
  EXPECT_EQ(started, 1) << "the one that has ended counts";
}

TEST(RemoteProbes, ForgottenProbeIsStartedAgain) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  RemoteProbes probes([&] { ++late; });
  EXPECT_TRUE(probes.forget("unknown"));
  EXPECT_FALSE(probes.finish("gone", [&] { wait_for([&] { return is_open.load(); }); }));
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_TRUE(probes.forget("gone"));
  bool started = false;
  EXPECT_TRUE(probes.finish("gone", [&] { started = true; }));
  EXPECT_TRUE(started);
}

TEST(RemoteProbes, ThrowingProbeHasFinished) {
  RemoteProbes probes([] {});
  EXPECT_TRUE(probes.finish("here", [] { throw std::bad_alloc(); }));
}

TEST(RemoteResult, TheLastOneStaysUntilAProbeHasEnded) {
  std::atomic<bool> is_open = false;
  std::atomic<int> late = 0;
  RemoteProbes probes([&] { ++late; });
  RemoteResult<int> result;
  EXPECT_EQ(result.set(1), 1);
  const auto hang = [&] {
    wait_for([&] { return is_open.load(); });
    return 2;
  };
  EXPECT_FALSE(result.update(probes, "hanging", hang));
  EXPECT_FALSE(result.update(probes, "hanging", [] { return 3; }));
  EXPECT_FALSE(result.forget(probes));
  EXPECT_EQ(result.last(), 1);
  is_open = true;
  wait_for([&] { return late == 1; });
  EXPECT_EQ(result.last(), 1) << "no call has taken the result";
  EXPECT_TRUE(result.update(probes, "hanging", [] { return 3; }));
  EXPECT_EQ(result.last(), 2) << "of the probe that has ended";
  EXPECT_TRUE(result.update(probes, "hanging", [] { return 3; }));
  EXPECT_EQ(result.last(), 3);
  EXPECT_TRUE(result.forget(probes));
  EXPECT_EQ(result.last(), 0);
}

TEST(RemoteResult, StaysWhenALookThrows) {
  RemoteProbes probes([] {});
  RemoteResult<int> result;
  result.set(1);
  EXPECT_FALSE(result.update(probes, "here", []() -> int { throw std::bad_alloc(); }));
  EXPECT_EQ(result.last(), 1);
  EXPECT_TRUE(result.update(probes, "here", [] { return 2; }));
  EXPECT_EQ(result.last(), 2);
}

}  // namespace
}  // namespace scidfs::fs
