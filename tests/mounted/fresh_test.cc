// Saved changes are shown by the next open: five milliseconds after the last file was closed, and
// independently of what the kernel has cached.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "fs/library/pending_changes.h"
#include "tests/mounted/live.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using Steady = std::chrono::steady_clock;
using testing::Contains;
using testing::Not;

class FreshTest : public LiveTest {
 protected:
  // The text of all games of these files.
  std::string text_of(const ScidFiles& files) const {
    const std::string prefix = folder_ / "aside";
    overwrite(prefix + ".si4", files.index);
    overwrite(prefix + ".sn4", files.names);
    overwrite(prefix + ".sg4", files.games);
    return ScidDatabase(prefix).render();
  }
  // Leaves a partial version, which stays so. The files of the version before still exist.
  void save_partial(const ScidFiles& files) const {
    patch(source_ / "a.si4", files.index.substr(0, files.index.size() / 2));
  }
  // Compares read text with the current one; reports the age of an old text.
  static void expect_new(const std::optional<std::string>& text, const std::string& now,
                         int round) {
    const std::string read = text.value_or("nothing");
    const std::size_t old = read.find("[White \"Round");
    EXPECT_TRUE(read == now) << "in round " << round << ": "
                             << (old == std::string::npos ? read.substr(0, 500)
                                                          : read.substr(old, 20));
  }
};

TEST_F(FreshTest, OpenAfterLastCloseShowsSavedVersion) {
  ScidWriter writer = example(40, 1);
  save("a", writer.files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  const int inside = ::open((*mount_ / "a.si4/games").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(inside, 0);
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    // The kernel has cached all of these names.
    ASSERT_TRUE(try_read("a.si4/all.pgn").has_value());
    ASSERT_TRUE(try_read(inside, "7.pgn").has_value());
    writer.set_white(6, fmt::format("Round {}", round));
    if (round % 3 == 0) writer.add(ScidEncoder().moves("e4 e5").record(), "New", "Newer");
    const std::string now = text_of(writer.files());
    save("a", writer.files());
    go_on();
    // From outside, or relative to an open directory.
    if (round % 2 == 0) {
      expect_new(try_read("a.si4/all.pgn"), now, round);
      expect_new(try_read(inside, "7.pgn"), cut_games(now)[6], round);
    } else {
      expect_new(try_read(inside, "7.pgn"), cut_games(now)[6], round);
      expect_new(try_read(inside, "../all.pgn"), now, round);
    }
    if (random.one_in(2)) ::usleep(static_cast<useconds_t>(random.below(150'000)));
  }
  ::close(inside);
}

TEST_F(FreshTest, SaveOfOneFileIsShown) {
  ScidWriter writer = example(40, 1);
  save("a", writer.files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  for (int round = 0; round < 20; ++round) {
    const std::string path = fmt::format("a.si4/deleted/{}.pgn", round + 1);
    EXPECT_EQ(open_error(path), ENOENT);
    writer.toggle_flag(static_cast<std::size_t>(round), codec::scid::kFlagDeleted);
    patch(source_ / "a.si4", writer.files().index);
    go_on();
    EXPECT_EQ(open_error(path), 0) << round;
  }
}

TEST_F(FreshTest, InfoOfFolderShowsSavedVersion) {
  ScidWriter writer = example(40, 1);
  filesystem::create_directory(source_ / "club");
  save("club/a", writer.files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  for (std::size_t games = 41; games < 50; ++games) {
    ASSERT_TRUE(try_read("club/info.txt").has_value());
    writer.add(ScidEncoder().moves("e4 e5").record(), "New", "Newer");
    save("club/a", writer.files());
    go_on();
    EXPECT_THAT(try_read("club/info.txt").value_or(""),
                testing::HasSubstr(fmt::format("a.si4: {} games", games)));
  }
}

TEST_F(FreshTest, NewAndRemovedDatabasesAreSeenAtOnce) {
  mount();
  if (HasFatalFailure()) return;
  const ScidFiles files = example(20, 1).files();
  const std::string text = text_of(files);
  for (int round = 0; round < 20; ++round) {
    const std::string name = fmt::format("new{}", round);
    const std::string path = name + ".si4/all.pgn";
    // The kernel has cached that the name does not exist, and the listing.
    EXPECT_EQ(open_error(path), ENOENT);
    EXPECT_THAT(names_in(mount_->path()), Not(Contains(name + ".si4")));
    save(name, files, overwrite);
    go_on();
    if (round % 2 == 0) {
      EXPECT_THAT(names_in(mount_->path()), Contains(name + ".si4"));
    }
    expect_new(try_read(path), text, round);
    if (round % 4 != 0) continue;
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::remove(source_ / (name + extension));
    }
    go_on();
    EXPECT_EQ(open_error(path), ENOENT) << round;
  }
}

TEST_F(FreshTest, NewFoldersAreShownWithTheirDatabases) {
  mount();
  if (HasFatalFailure()) return;
  const ScidFiles files = example(20, 1).files();
  const std::string text = text_of(files);
  for (int round = 0; round < 10; ++round) {
    const std::string folder = fmt::format("club{}", round);
    EXPECT_EQ(open_error(folder), ENOENT);
    filesystem::create_directories(source_ / folder / "one");
    save(folder + "/one/a", files, overwrite);
    go_on();
    expect_new(try_read(folder + "/one/a.si4/all.pgn"), text, round);
    filesystem::rename(source_ / folder, source_ / (folder + "b"));
    go_on();
    expect_new(try_read(folder + "b/one/a.si4/all.pgn"), text, round);
    EXPECT_EQ(open_error(folder), ENOENT) << round;
  }
}

// Empty folders are not shown.
TEST_F(FreshTest, FolderIsShownWhileItHasDatabases) {
  save("other", example(5, 2).files(), overwrite);
  filesystem::create_directories(source_ / "one/two");
  mount();
  if (HasFatalFailure()) return;
  const ScidFiles files = example(20, 1).files();
  const std::string text = text_of(files);
  for (int round = 0; round < 10; ++round) {
    EXPECT_THAT(names_in(mount_->path()), Not(Contains("one")));
    EXPECT_EQ(open_error("one"), ENOENT);
    save("one/two/a", files, overwrite);
    go_on();
    if (round % 2 == 0) {
      EXPECT_THAT(names_in(mount_->path()), Contains("one")) << round;
    }
    expect_new(try_read("one/two/a.si4/all.pgn"), text, round);
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::remove(source_ / (std::string("one/two/a") + extension));
    }
    go_on();
    EXPECT_THAT(names_in(mount_->path()), Not(Contains("one"))) << round;
  }
}

TEST_F(FreshTest, DatabaseInCapitalsIsFreshAsTheSource) {
  ScidWriter writer = example(40, 1);
  const auto put = [&](void (*write)(const filesystem::path&, std::string_view)) {
    write(source_ / "A.SI4", writer.files().index);
    write(source_ / "A.SN4", writer.files().names);
    write(source_ / "A.SG4", writer.files().games);
  };
  put(overwrite);
  mount({.source = source_ / "A.SI4"});
  if (HasFatalFailure()) return;
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(try_read("all.pgn").has_value());
    writer.set_white(6, fmt::format("Round {}", round));
    put(round % 2 == 0 ? patch : replace);
    go_on();
    expect_new(try_read("all.pgn"), text_of(writer.files()), round);
  }
}

// There are no events for a file under another name.
TEST_F(FreshTest, LinkedFilesAreExaminedPeriodically) {
  ScidWriter writer = example(40, 1);
  filesystem::create_directory(source_ / ".hidden");
  save(".hidden/a", writer.files(), overwrite);
  for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
    filesystem::create_symlink(std::string(".hidden/a") + extension,
                               source_ / (std::string("link") + extension));
  }
  mount();
  if (HasFatalFailure()) return;
  for (int round = 0; round < 2; ++round) {
    writer.set_white(6, fmt::format("Round {}", round));
    const std::string now = text_of(writer.files());
    save(".hidden/a", writer.files());
    EXPECT_TRUE(shows("link.si4/all.pgn", now)) << round;
  }
}

// Through a link to a folder that contains the mountpoint, the mount would show itself.
TEST_F(FreshTest, MountDoesNotScanItself) {
  save("a", example(20, 1).files(), overwrite);
  filesystem::create_directory(folder_ / "mnt");
  filesystem::create_directory_symlink("..", source_ / "up");
  filesystem::create_directory_symlink(folder_ / "mnt", source_ / "self");
  mount({.source = source_, .options = "follow", .mountpoint = folder_ / "mnt"});
  if (HasFatalFailure()) return;
  EXPECT_TRUE(try_read("a.si4/all.pgn").has_value());
  EXPECT_THAT(try_read("info.txt").value_or(""),
              testing::HasSubstr("refused: self: it is the mount itself"));
  // While the mount exists too.
  save("new", example(20, 2).files(), overwrite);
  filesystem::create_directory(source_ / "folder");
  filesystem::create_directory_symlink(folder_ / "mnt", source_ / "folder/again");
  go_on();
  EXPECT_TRUE(try_read("new.si4/all.pgn").has_value());
  EXPECT_THAT(names_in(mount_->path()), Not(Contains("self")));
}

TEST_F(FreshTest, DatabaseIsFreshAsTheSource) {
  ScidWriter writer = example(40, 1);
  save("a", writer.files(), overwrite);
  mount({.source = source_ / "a.si4"});
  if (HasFatalFailure()) return;
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(try_read("all.pgn").has_value());
    writer.set_white(6, fmt::format("Round {}", round));
    const std::string now = text_of(writer.files());
    save("a", writer.files());
    go_on();
    expect_new(try_read("all.pgn"), now, round);
  }
}

TEST_F(FreshTest, OpensSucceedDuringRepeatedSavesAndLastVersionIsShown) {
  ScidWriter writer = example(40, 1);
  save("a", writer.files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  std::vector<std::pair<ScidFiles, std::string>> versions;
  for (int version = 0; version < 150; ++version) {
    writer.set_white(6, fmt::format("Version {}", version));
    versions.emplace_back(writer.files(), text_of(writer.files()));
  }
  std::atomic<bool> over = false;
  std::set<std::string> seen;
  std::atomic<std::size_t> count_seen = 0;
  Steady::duration longest{};
  std::thread reader([&] {
    while (!over) {
      const auto start = Steady::now();
      const std::optional<std::string> text = try_read("a.si4/all.pgn");
      longest = std::max(longest, Steady::now() - start);
      if (text) seen.insert(*text);
      count_seen = seen.size();
      ::usleep(1000);
    }
  });
  constexpr std::size_t kSeen = 3;
  const auto end = Steady::now() + std::chrono::seconds(6);
  const auto latest = end + std::chrono::seconds(24);  // on a busy machine
  std::size_t saves = 0;
  const auto goes_on = [&] {
    if (count_seen < kSeen) return Steady::now() < latest;
    return saves + 1 < versions.size() && Steady::now() < end;
  };
  for (; goes_on(); ++saves) {
    save("a", versions[saves % versions.size()].first);
    ::usleep(30'000);
  }
  const std::size_t last = saves % versions.size();
  over = true;
  reader.join();
  save("a", versions[last].first);
  go_on();
  EXPECT_TRUE(try_read("a.si4/all.pgn") == versions[last].second);
  for (const std::string& text : seen) {
    EXPECT_TRUE(std::ranges::any_of(versions,
                                    [&](const auto& version) { return version.second == text; }) ||
                text.find("Version") == std::string::npos)
        << text.substr(0, 500);
  }
  EXPECT_GE(seen.size(), kSeen);
  // If a version is replaced between a lookup and a read, the kernel follows the path once more.
  // Each of its two names may wait each time.
  EXPECT_LT(longest, 4 * fs::PendingChanges::kLongestWait + std::chrono::seconds(3));
  RecordProperty("seen", static_cast<int>(seen.size()));
}

// A request that waits and is interrupted: the kernel reports signals that do not end a process
// too.
TEST_F(FreshTest, WaitingRequestCanBeInterrupted) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  const ScidFiles files = example(40, 1).files();
  save("a", files, overwrite);
  mount();
  if (HasFatalFailure()) return;
  ASSERT_TRUE(try_read("a.si4/all.pgn").has_value());
  save_partial(files);
  go_on();
  std::atomic<bool> done = false;
  int error = 0;
  std::thread asking([&] {
    error = open_error("a.si4/games/3.pgn");
    done = true;
  });
  ::usleep(20'000);
  while (!done) {
    ::pthread_kill(asking.native_handle(), SIGUSR1);
    ::usleep(20'000);
  }
  asking.join();
  EXPECT_EQ(error, EINTR);
}

// Waiting requests use no threads, so longer requests continue.
TEST_F(FreshTest, WaitingRequestsDoNotBlockOthers) {
  const ScidFiles files = example(40, 1).files();
  save("a", files, overwrite);
  save("b", example(3000, 2).files(), overwrite);
  mount({.source = {}, .options = "index=none"});
  if (HasFatalFailure()) return;
  save_partial(files);
  go_on();
  std::atomic<int> answered = 0;
  std::vector<std::thread> waiting;
  waiting.reserve(100);
  for (int i = 0; i < 100; ++i) {
    waiting.emplace_back([&] {
      EXPECT_EQ(open_error("a.si4/all.pgn"), 0);
      ++answered;
    });
  }
  ::usleep(50'000);
  EXPECT_EQ(open_error("b.si4/all.pgn"), 0);
  EXPECT_EQ(answered, 0);
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(open_error("a.si4/all.pgn"), 0);
}

TEST_F(FreshTest, EndOfMountEndsWaitingRequests) {
  const ScidFiles files = example(40, 1).files();
  for (const int signal : {SIGTERM, SIGINT}) {
    save("a", files, overwrite);
    ::usleep(200'000);
    mount();
    if (HasFatalFailure()) return;
    save_partial(files);
    go_on();
    std::vector<std::thread> waiting;
    waiting.reserve(20);
    for (int i = 0; i < 20; ++i) {
      waiting.emplace_back([&] { open_error("a.si4/all.pgn"); });
    }
    ::usleep(50'000);
    ASSERT_GT(mount_->daemon(), 0);
    ::kill(mount_->daemon(), signal);
    EXPECT_EQ(mount_->wait_for_end(), 0);
    for (std::thread& thread : waiting) thread.join();
    mount_.reset();
  }
}

// A partial version that stays so is waited for once, not by each request.
TEST_F(FreshTest, PartialVersionIsWaitedForOnce) {
  const ScidFiles files = example(40, 1).files();
  save("a", files, overwrite);
  mount({.source = {}, .options = "patience=60"});
  if (HasFatalFailure()) return;
  save_partial(files);
  go_on();
  const auto start = Steady::now();
  EXPECT_EQ(open_error("a.si4/all.pgn"), 0);
  EXPECT_GT(Steady::now() - start, std::chrono::milliseconds(500));
  const auto later = Steady::now();
  for (int game = 1; game <= 20; ++game) {
    EXPECT_EQ(open_error(fmt::format("a.si4/games/{}.pgn", game)), 0);
  }
  EXPECT_LT(Steady::now() - later, std::chrono::seconds(4));
  // Until another event than a write.
  save("a", files);
  go_on();
  EXPECT_TRUE(try_read("a.si4/all.pgn") == text_of(files));
}

}  // namespace
}  // namespace scidfs::tests
