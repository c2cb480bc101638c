#include "fs/library/pending_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>

#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

using Clock = PendingChanges::Clock;
using About = PendingChanges::Request::About;
using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::SizeIs;

class PendingChangesTest : public testing::Test {
 protected:
  bool concerns(const std::string& path, About about = About::Path) const {
    return pending_changes_.concerns({.about = about, .path = path});
  }
  bool searches(const std::string& path) const {
    return pending_changes_.concerns({.path = path, .is_missing = true});
  }
  // The next paths to examine, if there are some soon.
  RescanScope next() { return pending_changes_.next(Clock::now() + milliseconds(500)); }
  // Waits, and counts the answers.
  bool wait(const std::string& path) {
    return pending_changes_.wait({.path = path}, [this] { ++answered_; });
  }
  static void pass(milliseconds time) { std::this_thread::sleep_for(time); }

  PendingChanges pending_changes_;
  std::atomic<int> answered_ = 0;
};

TEST_F(PendingChangesTest, ChangeIsPendingUntilExamined) {
  EXPECT_TRUE(pending_changes_.is_calm());
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_TRUE(pending_changes_.note({.path = "a.si4", .is_write = true}));
  EXPECT_FALSE(pending_changes_.note({.path = "a.si4"})) << "that was known";
  EXPECT_TRUE(concerns("a.si4"));
  EXPECT_FALSE(concerns("b.si4"));
  EXPECT_FALSE(concerns("a.si"));
  EXPECT_FALSE(concerns(""));
  EXPECT_TRUE(wait("a.si4"));
  const RescanScope scope = next();
  EXPECT_FALSE(scope.is_all);
  EXPECT_FALSE(scope.has_folders);
  EXPECT_THAT(scope.paths, SizeIs(1));
  EXPECT_TRUE(scope.names("a.si4"));
  EXPECT_TRUE(scope.names("a.si4/inner"));
  EXPECT_FALSE(scope.names("a.si45"));
  EXPECT_EQ(answered_, 0);
  pending_changes_.finish(scope, {});
  EXPECT_EQ(answered_, 1);
  EXPECT_TRUE(pending_changes_.is_calm());
}

TEST_F(PendingChangesTest, ChangeDuringRescanStaysPending) {
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const RescanScope scope = next();
  pending_changes_.note({.path = "a.si4"});
  pending_changes_.finish(scope, {});
  EXPECT_EQ(answered_, 0);
  pending_changes_.finish(next(), {});
  EXPECT_EQ(answered_, 1);
}

TEST_F(PendingChangesTest, ChangeOfFolderConcernsAllBelowIt) {
  pending_changes_.note({.path = "one/two", .is_folder = true, .is_arrival = true});
  EXPECT_TRUE(concerns("one/two/three/a.si4"));
  EXPECT_TRUE(concerns("one/two"));
  EXPECT_FALSE(concerns("one/a.si4"));
  EXPECT_TRUE(concerns("one", About::Listing));
  EXPECT_TRUE(concerns("one", About::Contents));
  EXPECT_TRUE(concerns("", About::Listing)) << "a folder may come with it";
  EXPECT_FALSE(concerns("", About::Path));
  const RescanScope scope = next();
  EXPECT_TRUE(scope.has_folders);
  pending_changes_.finish(scope, {});
  EXPECT_TRUE(pending_changes_.note({.path = ""}));
  EXPECT_TRUE(concerns("x/y.si4"));
  EXPECT_TRUE(concerns("", About::Listing));
  EXPECT_TRUE(next().is_all);
}

TEST_F(PendingChangesTest, WriteInFolderDoesNotDelayItsListing) {
  pending_changes_.note({.path = "one/a.si4", .is_write = true});
  EXPECT_FALSE(concerns("one", About::Listing));
  EXPECT_TRUE(concerns("one", About::Contents));
  EXPECT_FALSE(concerns("", About::Contents));
  EXPECT_TRUE(concerns("one", About::Databases));
  EXPECT_TRUE(concerns("", About::Databases));
  EXPECT_FALSE(concerns("on", About::Databases));
  pending_changes_.note({.path = "one/a.si4", .is_arrival = true});
  EXPECT_TRUE(concerns("one", About::Listing));
}

TEST_F(PendingChangesTest, PartialVersionDelaysRequestsBrieflyDespiteWrites) {
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  int times = 0;
  while (answered_ == 0) {
    const RescanScope scope = next();
    times += scope.paths.empty() ? 0 : 1;
    pending_changes_.finish(scope, {"a.si4"});
  }
  EXPECT_GE(Clock::now() - start, PendingChanges::kLongest);
  EXPECT_GT(times, 2);
  EXPECT_FALSE(pending_changes_.note({.path = "a.si4", .is_write = true}));
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_TRUE(pending_changes_.note({.path = "a.si4"})) << "something has come to its end";
  EXPECT_TRUE(wait("a.si4"));
  pending_changes_.finish(next(), {});
  EXPECT_EQ(answered_, 2);
  EXPECT_TRUE(pending_changes_.is_calm());
}

// Events can come late: after a scan that looks at everything, such as the first one.
TEST_F(PendingChangesTest, PartialVersionThatAScanFindsBeforeItsEventDelaysRequestsBriefly) {
  const auto start = Clock::now();
  RescanScope all;
  all.began = start;
  EXPECT_THAT(pending_changes_.finish(all, {"one/a.si4"}), ElementsAre("one/a.si4"));
  EXPECT_TRUE(wait("one/a.si4"));
  EXPECT_TRUE(concerns("one", About::Contents));
  while (answered_ == 0) {
    EXPECT_THAT(pending_changes_.finish(next(), {"one/a.si4"}), IsEmpty());
  }
  EXPECT_GE(Clock::now() - start, PendingChanges::kLongest);
  all.began = Clock::now();
  EXPECT_THAT(pending_changes_.finish(all, {"one/a.si4"}), IsEmpty()) << "it is known";
  EXPECT_FALSE(concerns("one/a.si4"));
}

TEST_F(PendingChangesTest, PathIsBeingWrittenFromAWriteToAnyOtherEvent) {
  EXPECT_FALSE(pending_changes_.is_being_written("a.pgn"));
  pending_changes_.note({.path = "a.pgn", .is_write = true});
  EXPECT_TRUE(pending_changes_.is_being_written("a.pgn"));
  EXPECT_FALSE(pending_changes_.is_being_written("a.pgn.gz"));
  EXPECT_FALSE(pending_changes_.is_being_written(""));
  // Also after a scan that has found it half written.
  pending_changes_.finish(next(), {"a.pgn"});
  EXPECT_TRUE(pending_changes_.is_being_written("a.pgn"));
  pending_changes_.note({.path = "a.pgn"});
  EXPECT_FALSE(pending_changes_.is_being_written("a.pgn"));
  // One of a folder, or of everything, may stand for it.
  for (const char* const above : {"one", ""}) {
    pending_changes_.note({.path = "one/b.pgn", .is_write = true});
    pending_changes_.note({.path = "one-two.pgn", .is_write = true});
    pending_changes_.note({.path = above});
    EXPECT_FALSE(pending_changes_.is_being_written("one/b.pgn")) << above;
    EXPECT_EQ(pending_changes_.is_being_written("one-two.pgn"), *above != '\0');
  }
}

TEST_F(PendingChangesTest, HalfWrittenFilesBelowAChangedFolderAreNoneThatAreBeingWritten) {
  pending_changes_.note({.path = "one", .is_write = true});
  pending_changes_.note({.path = "one/b.pgn", .is_write = true});
  pending_changes_.finish(next(), {"one/a.pgn", "one/b.pgn"});
  EXPECT_FALSE(pending_changes_.is_being_written("one/a.pgn"));
  EXPECT_TRUE(pending_changes_.is_being_written("one/b.pgn"));
}

TEST_F(PendingChangesTest, RequestsThatNeedLostBytesWaitForTheNextVersion) {
  const PendingChanges::Request reader{.path = "a.si4", .needs_bytes = true};
  const PendingChanges::Request together{.about = About::Databases, .needs_bytes = true};
  const auto concerned = [&] {
    return std::array{pending_changes_.concerns(reader), pending_changes_.concerns(together),
                      concerns("a.si4"), concerns("", About::Contents)};
  };
  pending_changes_.note({.path = "a.si4"});
  const auto start = Clock::now();
  EXPECT_THAT(pending_changes_.finish(next(), {"a.si4"}, {"a.si4"}), ElementsAre("a.si4"));
  EXPECT_TRUE(pending_changes_.wait(reader, [this] { ++answered_; }));
  while (Clock::now() < start + PendingChanges::kLongestWait + milliseconds(300)) {
    EXPECT_THAT(pending_changes_.finish(next(), {"a.si4"}, {"a.si4"}), IsEmpty());
  }
  EXPECT_EQ(answered_, 0);
  EXPECT_THAT(concerned(), ElementsAre(true, true, false, false)) << "the others need no bytes";
  pending_changes_.finish(next(), {});
  EXPECT_EQ(answered_, 1);
  EXPECT_THAT(concerned(), ElementsAre(false, false, false, false));
}

TEST_F(PendingChangesTest, RequestsWaitForLostBytesOnlySoLong) {
  const PendingChanges::Request reader{.path = "a.si4", .needs_bytes = true};
  const auto start = Clock::now();
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(pending_changes_.wait(reader, [this] { ++answered_; }));
  while (answered_ == 0) pending_changes_.finish(next(), {"a.si4"}, {"a.si4"});
  EXPECT_GE(Clock::now() - start, PendingChanges::kLongestLost);
  EXPECT_FALSE(pending_changes_.wait(reader, [this] { ++answered_; }));
  // A close has an ordinary wait; what comes back and is lost again, a new one.
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(pending_changes_.wait(reader, [this] { ++answered_; }));
  pending_changes_.finish(next(), {"a.si4"});
  pending_changes_.note({.path = "a.si4"});
  EXPECT_THAT(pending_changes_.finish(next(), {"a.si4"}, {"a.si4"}), ElementsAre("a.si4"));
  EXPECT_TRUE(pending_changes_.concerns(reader));
}

// No scan comes between the writes before that.
TEST_F(PendingChangesTest, RequestWaitsUntilAScanHasToldWhetherBytesAreLost) {
  const PendingChanges::Request reader{.path = "a.si4", .needs_bytes = true};
  std::atomic<bool> is_over = false;
  std::thread writing([&] {
    while (!is_over) {
      pending_changes_.note({.path = "a.si4", .is_write = true});
      pass(milliseconds(2));
    }
  });
  while (!pending_changes_.wait(reader, [this] { ++answered_; })) pass(milliseconds(1));
  RescanScope scope{.is_all = false};
  while (scope.paths.empty()) scope = next();
  EXPECT_EQ(answered_, 0);
  pending_changes_.finish(scope, {"a.si4"}, {"a.si4"});
  EXPECT_EQ(answered_, 0);
  is_over = true;
  writing.join();
  while (answered_ == 0) pending_changes_.finish(next(), {});
  EXPECT_TRUE(pending_changes_.is_calm());
}

TEST_F(PendingChangesTest, ConstantWritesAreExaminedBetweenTwoSaves) {
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  RescanScope scope{.is_all = false};
  std::thread writing([&] {
    while (answered_ == 0 && Clock::now() < start + PendingChanges::kLongest * 3) {
      pending_changes_.note({.path = "a.si4"});
      pass(milliseconds(20));
    }
  });
  while (scope.paths.empty()) scope = next();
  EXPECT_GE(scope.began - start, PendingChanges::kLongest / 2);
  pending_changes_.finish(scope, {});
  while (answered_ == 0) pending_changes_.finish(next(), {});
  writing.join();
  EXPECT_LT(Clock::now() - start, PendingChanges::kLongest * 3);
}

// The scan would fall due just after a save, again and again.
TEST_F(PendingChangesTest, WritesAtASteadyPaceAreExaminedBetweenTwoSaves) {
  constexpr int kSaves = 33;
  constexpr std::chrono::nanoseconds kPace =
      std::chrono::nanoseconds(PendingChanges::kLongest - milliseconds(3)) / kSaves;
  const auto start = Clock::now();
  pending_changes_.note({.path = "a.si4"});
  std::atomic<bool> is_over = false;
  Clock::duration longest_pause{};
  std::thread writing([&] {
    Clock::time_point last = start;
    for (int save = 1; !is_over && save < 3 * kSaves; ++save) {
      std::this_thread::sleep_until(start + save * kPace);
      pending_changes_.note({.path = "a.si4"});
      longest_pause = std::max(longest_pause, Clock::now() - std::exchange(last, Clock::now()));
    }
  });
  RescanScope scope{.is_all = false};
  while (scope.paths.empty()) scope = next();
  is_over = true;
  writing.join();
  // A busy machine may keep this thread from saving for so long that the path is quiet.
  EXPECT_TRUE(scope.began - start >= PendingChanges::kLongest ||
              longest_pause >= PendingChanges::kQuiet);
  EXPECT_TRUE(scope.paths.at("a.si4"));
}

TEST_F(PendingChangesTest, LongRescanIsFollowedByPauseUnlessRequestWaits) {
  pending_changes_.note({.path = "a.si4"});
  const RescanScope scope = next();
  pass(milliseconds(100));
  pending_changes_.finish(scope, {});
  pending_changes_.note({.path = "a.si4"});
  const RescanScope again = next();
  EXPECT_TRUE(again.names("a.si4")) << "to wait for a server is no work";
  while (processor_time() < again.work_began + milliseconds(100)) {
  }
  pending_changes_.finish(again, {});
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(next().is_nothing()) << "a twentieth of the time and no more";
  EXPECT_TRUE(wait("a.si4"));
  const auto start = Clock::now();
  EXPECT_TRUE(next().names("a.si4"));
  EXPECT_LT(Clock::now() - start, milliseconds(400));
}

TEST_F(PendingChangesTest, MissingPathIsSearchedAtMostOnceInAWhile) {
  EXPECT_TRUE(searches("one/new.si4"));
  EXPECT_TRUE(
      pending_changes_.wait({.path = "one/new.si4", .is_missing = true}, [this] { ++answered_; }));
  EXPECT_FALSE(searches("one/other.si4"));
  EXPECT_TRUE(searches("two/other.si4"));
  const auto start = Clock::now();
  const RescanScope scope = next();
  EXPECT_LT(Clock::now() - start, PendingChanges::kQuiet)
      << "nothing has happened: there is no unrest";
  EXPECT_THAT(scope.paths, Contains(Key("one/new.si4")));
  pending_changes_.finish(scope, {});
  EXPECT_EQ(answered_, 1);
  EXPECT_FALSE(searches("one/new.si4"));
  pass(PendingChanges::kBetweenSearches);
  EXPECT_TRUE(searches("one/new.si4"));
}

TEST_F(PendingChangesTest, NewsDoNotDelayRequests) {
  pending_changes_.note_news();
  EXPECT_TRUE(pending_changes_.is_calm());
  const RescanScope scope = next();
  EXPECT_TRUE(scope.has_news);
  EXPECT_FALSE(scope.is_nothing());
  EXPECT_TRUE(next().is_nothing());
}

TEST_F(PendingChangesTest, StopAnswersAllWaitingRequests) {
  pending_changes_.note({.path = "a.si4"});
  EXPECT_TRUE(wait("a.si4"));
  pending_changes_.stop();
  EXPECT_EQ(answered_, 1);
  EXPECT_FALSE(pending_changes_.note({.path = "a.si4"}));
  EXPECT_FALSE(wait("a.si4"));
  EXPECT_FALSE(searches("b.si4"));
  EXPECT_TRUE(pending_changes_.next(Clock::now() + std::chrono::hours(1)).is_nothing());
}

}  // namespace
}  // namespace scidfs::fs
