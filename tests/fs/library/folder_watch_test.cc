#include "fs/library/folder_watch.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using Event = FolderWatch::Event;
using std::chrono::milliseconds;

constexpr milliseconds kLong{10'000};
constexpr milliseconds kShort{20};

class FolderWatchTest : public ::testing::Test {
 protected:
  FolderWatchTest() {
    stdfs::create_directory(folder_ / "watched");
    EXPECT_FALSE(watch_.add({folder_ / "watched"}).empty());
  }

  void write(const std::string& name) { std::ofstream(folder_ / name, std::ios::app) << "x"; }
  // True if exactly one event comes.
  bool sees() {
    const bool seen = watch_.wait(kLong) == Event::Change;
    while (watch_.wait(kShort) == Event::Change) {
    }
    return seen;
  }
  bool is_quiet() { return watch_.wait(kShort) == Event::Timeout; }

  FolderWatch watch_;
  tests::TemporaryFolder folder_;
};

TEST_F(FolderWatchTest, ReportsChangesOfDatabases) {
  EXPECT_TRUE(watch_.is_complete());
  EXPECT_TRUE(is_quiet());
  for (const std::string name : {"watched/a.si4", "watched/a.sg4", "watched/a.sn4"}) {
    SCOPED_TRACE(name);
    write(name);
    EXPECT_TRUE(sees());
    write(name);
    EXPECT_TRUE(sees());
    stdfs::permissions(folder_ / name, stdfs::perms::owner_read);
    EXPECT_TRUE(sees());
    stdfs::rename(folder_ / name, folder_ / "aside");
    EXPECT_TRUE(sees());
    stdfs::rename(folder_ / "aside", folder_ / name);
    EXPECT_TRUE(sees());
    stdfs::remove(folder_ / name);
    EXPECT_TRUE(sees());
  }
}

TEST_F(FolderWatchTest, ReportsChangesOfFolders) {
  stdfs::create_directory(folder_ / "watched/new");
  EXPECT_TRUE(sees());
  write("watched/new/a.si4");
  EXPECT_TRUE(is_quiet());
  EXPECT_FALSE(watch_.add({folder_ / "watched", folder_ / "watched/new"}).empty());
  EXPECT_TRUE(watch_.add({folder_ / "watched", folder_ / "watched/new"}).empty());
  write("watched/new/a.si4");
  EXPECT_TRUE(sees());
  stdfs::remove_all(folder_ / "watched/new");
  EXPECT_TRUE(sees());
  stdfs::rename(folder_ / "watched", folder_ / "elsewhere");
  EXPECT_TRUE(sees());
  // No folder of that name can be watched now.
  EXPECT_TRUE(watch_.add({folder_ / "watched"}).empty());
  EXPECT_FALSE(watch_.is_complete());
  stdfs::create_directory(folder_ / "watched");
  EXPECT_FALSE(watch_.add({folder_ / "watched"}).empty());
  EXPECT_TRUE(watch_.is_complete());
  write("watched/a.si4");
  EXPECT_TRUE(sees());
}

TEST_F(FolderWatchTest, ReportsLinksOfAnyName) {
  stdfs::create_directory_symlink("nowhere", folder_ / "watched/linked");
  EXPECT_TRUE(sees());
  stdfs::rename(folder_ / "watched/linked", folder_ / "aside");
  EXPECT_TRUE(sees());
  stdfs::rename(folder_ / "aside", folder_ / "watched/games.2020");
  EXPECT_TRUE(sees());
  stdfs::remove(folder_ / "watched/games.2020");
  EXPECT_TRUE(sees());
}

TEST_F(FolderWatchTest, ReportsDatabasesInCapitals) {
  for (const char* const name : {"A.SI4", "A.Sg4", "BOOK.KIN", "X.SCV"}) {
    write(std::string("watched/") + name);
    EXPECT_TRUE(sees()) << name;
  }
}

TEST_F(FolderWatchTest, IgnoresOtherFiles) {
  write("watched/notes.txt");
  write("watched/a.si4.bak");
  write("b.si4");
  EXPECT_TRUE(is_quiet());
}

TEST_F(FolderWatchTest, WakeEndsTheWait) {
  std::thread waker([this] {
    std::this_thread::sleep_for(kShort);
    watch_.wake();
  });
  EXPECT_EQ(watch_.wait(kLong), Event::Woken);
  waker.join();
}

TEST_F(FolderWatchTest, LostEventsCountAsChange) {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  if (most == 0 || most > 100'000) GTEST_SKIP() << "the queue of events has no small bound";
  // Two files alternately, because the kernel merges equal events.
  std::ofstream one(folder_ / "watched/one");
  std::ofstream other(folder_ / "watched/other");
  for (std::size_t i = 0; i <= most / 2; ++i) {
    one << "x" << std::flush;
    other << "x" << std::flush;
  }
  EXPECT_TRUE(sees());
}

TEST_F(FolderWatchTest, ReportsThatItCannotWatch) {
  // A user of a new user namespace may have no inotify watches.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWUSER) != 0) ::_exit(2);
    std::ofstream("/proc/sys/user/max_inotify_watches") << "0" << std::flush;
    std::size_t allowed = 1;
    std::ifstream("/proc/sys/user/max_inotify_watches") >> allowed;
    if (allowed != 0) ::_exit(2);
    FolderWatch watch;
    const bool added = !watch.add({folder_ / "watched"}).empty();
    ::_exit(!added && !watch.is_complete() && watch.wait(kShort) == Event::Timeout ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "no user name space with limits of its own";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace scidfs::fs
