#include "fs/library/unrest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

using Clock = Unrest::Clock;
using About = Unrest::Question::About;
using std::chrono::milliseconds;
using testing::Contains;
using testing::IsEmpty;
using testing::Key;
using testing::SizeIs;

class UnrestTest : public testing::Test {
 protected:
  bool concerns(const std::string& path, About about = About::Path) const {
    return unrest_.concerns({.about = about, .path = path});
  }
  bool searches(const std::string& path) const {
    return unrest_.concerns({.path = path, .is_missing = true});
  }
  // What is to be looked at next, if that comes soon.
  Look next() { return unrest_.next(Clock::now() + milliseconds(500)); }
  // Waits, and counts when it is over.
  bool wait(const std::string& path) {
    return unrest_.wait({.path = path}, [this] { ++answered_; });
  }
  static void pass(milliseconds time) { std::this_thread::sleep_for(time); }

  Unrest unrest_;
  std::atomic<int> answered_ = 0;
};

TEST_F(UnrestTest, WhatHasChangedIsWaitedForUntilItHasBeenLookedAt) {
  EXPECT_TRUE(unrest_.is_calm());
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_TRUE(unrest_.note({.path = "a.si4", .is_write = true}));
  EXPECT_FALSE(unrest_.note({.path = "a.si4"})) << "that was known";
  EXPECT_TRUE(concerns("a.si4"));
  EXPECT_FALSE(concerns("b.si4"));
  EXPECT_FALSE(concerns("a.si"));
  EXPECT_FALSE(concerns(""));
  EXPECT_TRUE(wait("a.si4"));
  const Look look = next();
  EXPECT_FALSE(look.is_all);
  EXPECT_FALSE(look.has_folders);
  EXPECT_THAT(look.paths, SizeIs(1));
  EXPECT_TRUE(look.names("a.si4"));
  EXPECT_TRUE(look.names("a.si4/inner"));
  EXPECT_FALSE(look.names("a.si45"));
  EXPECT_EQ(answered_, 0);
  unrest_.finish(look, {});
  EXPECT_EQ(answered_, 1);
  EXPECT_TRUE(unrest_.is_calm());
}

TEST_F(UnrestTest, WhatHappensDuringALookIsLookedAtAgain) {
  unrest_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const Look look = next();
  unrest_.note({.path = "a.si4"});
  unrest_.finish(look, {});
  EXPECT_EQ(answered_, 0);
  unrest_.finish(next(), {});
  EXPECT_EQ(answered_, 1);
}

TEST_F(UnrestTest, FoldersAreAllThatLiesBelowThem) {
  unrest_.note({.path = "one/two", .is_folder = true, .is_arrival = true});
  EXPECT_TRUE(concerns("one/two/three/a.si4"));
  EXPECT_TRUE(concerns("one/two"));
  EXPECT_FALSE(concerns("one/a.si4"));
  EXPECT_TRUE(concerns("one", About::Listing));
  EXPECT_TRUE(concerns("one", About::Contents));
  EXPECT_TRUE(concerns("", About::Listing)) << "a folder may come with it";
  EXPECT_FALSE(concerns("", About::Path));
  const Look look = next();
  EXPECT_TRUE(look.has_folders);
  unrest_.finish(look, {});
  EXPECT_TRUE(unrest_.note({.path = ""}));
  EXPECT_TRUE(concerns("x/y.si4"));
  EXPECT_TRUE(concerns("", About::Listing));
  EXPECT_TRUE(next().is_all);
}

TEST_F(UnrestTest, AFolderIsListedWhileSomethingInItIsWritten) {
  unrest_.note({.path = "one/a.si4", .is_write = true});
  EXPECT_FALSE(concerns("one", About::Listing));
  EXPECT_TRUE(concerns("one", About::Contents));
  EXPECT_FALSE(concerns("", About::Contents));
  unrest_.note({.path = "one/a.si4", .is_arrival = true});
  EXPECT_TRUE(concerns("one", About::Listing));
}

TEST_F(UnrestTest, HalfAVersionIsWaitedForBrieflyAndWritesDoNotChangeThat) {
  unrest_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  int times = 0;
  while (answered_ == 0) {
    const Look look = next();
    times += look.paths.empty() ? 0 : 1;
    unrest_.finish(look, {"a.si4"});
  }
  EXPECT_GE(Clock::now() - start, Unrest::kLongest);
  EXPECT_GT(times, 2);
  EXPECT_FALSE(unrest_.note({.path = "a.si4", .is_write = true}));
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_TRUE(unrest_.note({.path = "a.si4"})) << "something has come to its end";
  EXPECT_TRUE(wait("a.si4"));
  unrest_.finish(next(), {});
  EXPECT_EQ(answered_, 2);
  EXPECT_TRUE(unrest_.is_calm());
}

TEST_F(UnrestTest, WhereThereIsNoQuietItIsLookedAtBetweenTwoSaves) {
  unrest_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  Look look{.is_all = false};
  std::thread writing([&] {
    while (answered_ == 0 && Clock::now() < start + Unrest::kLongest * 3) {
      unrest_.note({.path = "a.si4"});
      pass(milliseconds(20));
    }
  });
  while (look.paths.empty()) look = next();
  EXPECT_GE(look.began - start, Unrest::kLongest / 2);
  unrest_.finish(look, {});
  while (answered_ == 0) unrest_.finish(next(), {});
  writing.join();
  EXPECT_LT(Clock::now() - start, Unrest::kLongest * 3);
}

TEST_F(UnrestTest, AfterALongLookThereIsRestUnlessSomebodyWaits) {
  unrest_.note({.path = "a.si4"});
  const Look look = next();
  pass(milliseconds(100));
  unrest_.finish(look, {});
  unrest_.note({.path = "a.si4"});
  const Look again = next();
  EXPECT_TRUE(again.names("a.si4")) << "to wait for a server is no work";
  while (processor_time() < again.work_began + milliseconds(100)) {
  }
  unrest_.finish(again, {});
  unrest_.note({.path = "a.si4"});
  EXPECT_TRUE(next().is_nothing()) << "a twentieth of the time and no more";
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  EXPECT_TRUE(next().names("a.si4"));
  EXPECT_LT(Clock::now() - start, milliseconds(400));
}

TEST_F(UnrestTest, WhatIsMissingIsSearchedForOnceInAWhile) {
  EXPECT_TRUE(searches("one/new.si4"));
  EXPECT_TRUE(unrest_.wait({.path = "one/new.si4", .is_missing = true}, [this] { ++answered_; }));
  EXPECT_FALSE(searches("one/other.si4"));
  EXPECT_TRUE(searches("two/other.si4"));
  const auto start = Clock::now();
  const Look look = next();
  EXPECT_LT(Clock::now() - start, Unrest::kQuiet) << "nothing has happened: there is no unrest";
  EXPECT_THAT(look.paths, Contains(Key("one/new.si4")));
  unrest_.finish(look, {});
  EXPECT_EQ(answered_, 1);
  EXPECT_FALSE(searches("one/new.si4"));
  pass(Unrest::kBetweenSearches);
  EXPECT_TRUE(searches("one/new.si4"));
}

TEST_F(UnrestTest, NewsAreNoReasonToWait) {
  unrest_.note_news();
  EXPECT_TRUE(unrest_.is_calm());
  const Look look = next();
  EXPECT_TRUE(look.has_news);
  EXPECT_FALSE(look.is_nothing());
  EXPECT_TRUE(next().is_nothing());
}

TEST_F(UnrestTest, TheEndIsTheEndOfAllWaiting) {
  unrest_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  unrest_.stop();
  EXPECT_EQ(answered_, 1);
  EXPECT_FALSE(unrest_.note({.path = "a.si4"}));
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_FALSE(searches("b.si4"));
  EXPECT_TRUE(unrest_.next(Clock::now() + std::chrono::hours(1)).is_nothing());
}

}  // namespace
}  // namespace scidfs::fs
