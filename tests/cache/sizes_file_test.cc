#include "cache/sizes_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>

#include "tests/cache/threads.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::cache {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;
namespace fs = std::filesystem;

constexpr std::uint64_t kKey = 0x0123456789abcdef;

// Sets a variable of the environment, or removes it, until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~ScopedVariable() { set(before_ ? before_->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> before_;
};

// Makes writes beyond `bytes` fail, as on a full disk, until the end of the scope.
class ScopedFileLimit {
 public:
  explicit ScopedFileLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ScopedFileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  ScopedFileLimit(const ScopedFileLimit&) = delete;
  ScopedFileLimit& operator=(const ScopedFileLimit&) = delete;

 private:
  sighandler_t handler_;
  rlimit before_{};
};

class SizesFile : public ::testing::Test {
 protected:
  std::string read() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder()))
      names.push_back(entry.path().filename());
    return names;
  }
  absl::StatusCode load_code(std::uint64_t key, std::size_t count) const {
    return load_sizes(path(), key, count).status().code();
  }

  const fs::path& folder() const { return folder_.path(); }
  fs::path path() const { return folder_ / "mega.sizes"; }

  const std::vector<std::uint32_t> sizes_ = {700, 0, 1, 0xffffffff, 0x01020304};

 private:
  tests::TemporaryFolder folder_;
};

TEST_F(SizesFile, WhatWasSavedIsLoaded) {
  ASSERT_EQ(save_sizes(path(), kKey, sizes_), absl::OkStatus());
  const auto loaded = load_sizes(path(), kKey, sizes_.size());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_THAT(*loaded, ElementsAreArray(sizes_));
  EXPECT_THAT(names(), ElementsAre("mega.sizes"));

  struct stat attributes {};
  ASSERT_EQ(::stat(path().c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 0777, 0600);
}

TEST_F(SizesFile, NoSizesAndManySizes) {
  ASSERT_EQ(save_sizes(path(), kKey, {}), absl::OkStatus());
  EXPECT_TRUE(load_sizes(path(), kKey, 0).ok());

  std::vector<std::uint32_t> many(300'000);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<std::uint32_t>(i * 2654435761);
  ASSERT_EQ(save_sizes(path(), kKey, many), absl::OkStatus());
  EXPECT_EQ(*load_sizes(path(), kKey, many.size()), many);
}

// The layout is a promise to files written by earlier versions.
TEST_F(SizesFile, TheBytesAreThoseOfTheLayout) {
  const std::vector<std::uint32_t> sizes = {0x01020304, 5};
  ASSERT_EQ(save_sizes(path(), kKey, sizes), absl::OkStatus());
  const std::string bytes = read();
  ASSERT_EQ(bytes.size(), 48);
  EXPECT_EQ(bytes.substr(0, 8), "scidfsSZ");
  EXPECT_EQ(bytes.substr(8, 8), std::string("\1\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(bytes.substr(16, 8), "\xef\xcd\xab\x89\x67\x45\x23\x01");
  EXPECT_EQ(bytes.substr(40), std::string("\4\3\2\1\5\0\0\0", 8));
}

TEST_F(SizesFile, FingerprintsNeverChange) {
  EXPECT_EQ(fingerprint(""), 0x2d06800538d394c2);
  EXPECT_NE(fingerprint("abc"), fingerprint("abd"));
  EXPECT_NE(fingerprint("abc"), fingerprint("abc", 1));
}

TEST_F(SizesFile, AMissingFileIsNotFound) {
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kNotFound);
  EXPECT_THAT(load_sizes(path(), kKey, 5).status().ToString(),
              HasSubstr("Cannot read " + path().native() + ": No such file or directory"));
}

TEST_F(SizesFile, AnotherKeyOrLayoutIsAFailedPrecondition) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  EXPECT_EQ(load_code(kKey + 1, sizes_.size()), absl::StatusCode::kFailedPrecondition);
  std::string bytes = read();
  bytes[8] = 2;
  write(bytes);
  EXPECT_EQ(load_code(kKey, sizes_.size()), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SizesFile, AnotherCountIsDataLossHoweverLarge) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  for (const std::size_t count : {std::size_t{0}, std::size_t{4}, std::size_t{6},
                                  std::size_t{5} + (std::size_t{1} << 32), ~std::size_t{0}}) {
    EXPECT_EQ(load_code(kKey, count), absl::StatusCode::kDataLoss) << count;
  }
}

TEST_F(SizesFile, EveryFlippedBitIsDetected) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  const std::string good = read();
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
    write(bad);
    const bool in_version = bit / 8 >= 8 && bit / 8 < 12;
    EXPECT_EQ(load_code(kKey, sizes_.size()),
              in_version ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kDataLoss)
        << "bit " << bit;
  }
}

TEST_F(SizesFile, EveryOtherLengthIsDetected) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  const std::string good = read();
  for (std::size_t length = 0; length < good.size(); ++length) {
    write(good.substr(0, length));
    EXPECT_EQ(load_code(kKey, sizes_.size()), absl::StatusCode::kDataLoss) << length;
  }
  write(good + '\0');
  EXPECT_EQ(load_code(kKey, sizes_.size()), absl::StatusCode::kDataLoss);
}

TEST_F(SizesFile, OnlyARegularFileIsRead) {
  fs::create_directory(path());
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kDataLoss);
  fs::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kDataLoss);
  fs::remove(path());
  ASSERT_TRUE(save_sizes(folder() / "elsewhere", kKey, sizes_).ok());
  fs::create_symlink("elsewhere", path());
  EXPECT_FALSE(load_sizes(path(), kKey, sizes_.size()).ok());
}

TEST_F(SizesFile, SavingReplacesWhateverWasThere) {
  write("not a file of sizes");
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  ASSERT_TRUE(save_sizes(path(), kKey + 1, sizes_).ok());
  EXPECT_TRUE(load_sizes(path(), kKey + 1, sizes_.size()).ok());
  EXPECT_THAT(names(), ElementsAre("mega.sizes"));
}

TEST_F(SizesFile, MissingFoldersAreMadeForTheOwnerAlone) {
  const fs::path deep = folder() / "a" / "b" / "mega.sizes";
  ASSERT_EQ(save_sizes(deep, kKey, sizes_), absl::OkStatus());
  EXPECT_TRUE(load_sizes(deep, kKey, sizes_.size()).ok());
  for (const fs::path& made : {folder() / "a", folder() / "a" / "b"}) {
    EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all) << made;
  }
}

TEST_F(SizesFile, AFailedWriteKeepsTheOldFileAndLeavesNothingBehind) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  // The limits cut the header, the sizes (a short write), and nothing but the last byte.
  const std::vector<std::uint32_t> larger(1000, 7);
  for (const rlim_t limit : {10, 1000, 4039}) {
    absl::Status status;
    {
      const ScopedFileLimit scoped(limit);
      status = save_sizes(path(), kKey, larger);
    }
    EXPECT_THAT(status.ToString(),
                HasSubstr("Cannot write " + path().native() + ": File too large"));
    EXPECT_THAT(names(), ElementsAre("mega.sizes"));
    EXPECT_EQ(*load_sizes(path(), kKey, sizes_.size()), sizes_);
  }
}

TEST_F(SizesFile, AFailedRenameLeavesNothingBehind) {
  fs::create_directory(path());
  EXPECT_THAT(save_sizes(path(), kKey, sizes_).ToString(), HasSubstr(path().native()));
  EXPECT_THAT(names(), ElementsAre("mega.sizes"));
  EXPECT_FALSE(save_sizes(folder() / "", kKey, sizes_).ok());
  EXPECT_FALSE(save_sizes("", kKey, sizes_).ok());
  EXPECT_THAT(names(), ElementsAre("mega.sizes"));
}

TEST_F(SizesFile, AFolderThatCannotBeWrittenGivesAStatus) {
  write("a file, not a folder");
  const absl::Status below_file = save_sizes(path() / "x.sizes", kKey, sizes_);
  EXPECT_THAT(below_file.ToString(),
              HasSubstr("Cannot write " + (path() / "x.sizes").native() + ": Not a directory"));
  EXPECT_FALSE(save_sizes(path() / "deeper" / "x.sizes", kKey, sizes_).ok());
  EXPECT_FALSE(save_sizes("/proc/scidfs/x.sizes", kKey, sizes_).ok());
}

TEST_F(SizesFile, AFolderOfSomebodyElseGivesAStatus) {
  fs::permissions(folder(), fs::perms::owner_read | fs::perms::owner_exec);
  const bool root = ::geteuid() == 0;  // root may write everywhere, so be nobody for a moment
  if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "cannot be another user";
  const absl::Status status = save_sizes(path(), kKey, sizes_);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_THAT(status.ToString(),
              HasSubstr("Cannot write " + path().native() + ": Permission denied"));
  fs::permissions(folder(), fs::perms::owner_all);
}

// Two mounts save, a third loads: it sees one of the two files, whole.
TEST_F(SizesFile, AReaderSeesWholeFilesOnly) {
  const std::vector<std::uint32_t> ones(5000, 1);
  const std::vector<std::uint32_t> twos(5000, 2);
  ASSERT_TRUE(save_sizes(path(), kKey, ones).ok());
  run_threads(3, [&](unsigned thread) {
    for (int i = 0; i < 8; ++i) {
      if (thread < 2) {
        EXPECT_EQ(save_sizes(path(), kKey, thread == 0 ? ones : twos), absl::OkStatus());
        continue;
      }
      const auto loaded = load_sizes(path(), kKey, 5000);
      ASSERT_TRUE(loaded.ok()) << loaded.status();
      EXPECT_THAT(*loaded, AnyOf(ones, twos));
    }
  });
  EXPECT_THAT(names(), ElementsAre("mega.sizes"));
}

// A process that saves over and over, until it is killed.
pid_t start_writer(const fs::path& path, const std::vector<std::vector<std::uint32_t>>& tables) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (std::size_t round = 0;; ++round) {
    if (!save_sizes(path, kKey, tables[round % tables.size()]).ok()) ::_exit(1);
  }
}

TEST_F(SizesFile, AWriterKilledAtAnyTimeCostsNothing) {
  // Large enough that most of a writer's time goes into writing.
  const std::vector<std::vector<std::uint32_t>> tables = {std::vector<std::uint32_t>(300'000, 1),
                                                          std::vector<std::uint32_t>(300'000, 2)};
  std::mt19937 random(1);
  unsigned left_something = 0;
  for (int round = 0; round < 100; ++round) {
    if (round % 20 == 0) fs::remove(path());
    const pid_t writer = start_writer(path(), tables);
    ASSERT_GT(writer, 0);
    ::usleep(static_cast<unsigned>(random() % 20'000));
    ::kill(writer, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it failed before it was killed";
    if (names().size() > (fs::exists(path()) ? 1U : 0U)) ++left_something;

    // What the next start does.
    remove_abandoned(folder());
    const auto loaded = load_sizes(path(), kKey, tables[0].size());
    if (loaded.ok()) {
      EXPECT_THAT(*loaded, AnyOf(tables[0], tables[1]));
      EXPECT_THAT(names(), ElementsAre("mega.sizes"));
    } else {
      EXPECT_TRUE(absl::IsNotFound(loaded.status())) << loaded.status();
      EXPECT_THAT(names(), IsEmpty());
    }
  }
  EXPECT_GT(left_something, 0U) << "no writer was met in the middle of its work";
}

TEST_F(SizesFile, OnlyWhatIsAbandonedIsRemoved) {
  ASSERT_TRUE(save_sizes(path(), kKey, sizes_).ok());
  const std::vector<std::string> others = {"mega.sizes.old", "notes.abcdef", "mega.sizes.abcdefg",
                                           "mega.size.abcdef"};
  for (const std::string& name : others) std::ofstream(folder() / name) << "mine";
  fs::create_directory(folder() / "folder.sizes.abcdef");
  std::ofstream(folder() / "dead.sizes.abcdef") << "half a ta";
  std::ofstream(folder() / "live.sizes.abcdef") << "half a ta";
  const int live = ::open((folder() / "live.sizes.abcdef").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(live, LOCK_EX), 0);

  remove_abandoned(folder());
  std::vector<std::string> expected = others;
  expected.insert(expected.end(), {"mega.sizes", "folder.sizes.abcdef", "live.sizes.abcdef"});
  EXPECT_THAT(names(), UnorderedElementsAreArray(expected));
  ::close(live);
  remove_abandoned(folder());
  EXPECT_FALSE(fs::exists(folder() / "live.sizes.abcdef"));
  remove_abandoned(folder() / "none");
  remove_abandoned("");
}

// Whoever starts while others write must not take their files away.
TEST_F(SizesFile, WritersLoseNothingToThoseWhoRemove) {
  const std::vector<std::uint32_t> sizes(2000, 7);
  std::atomic<bool> over = false;
  run_threads(4, [&](unsigned thread) {
    if (thread == 3) {
      while (!over) remove_abandoned(folder());
      return;
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(save_sizes(folder() / (std::to_string(thread) + ".sizes"), kKey, sizes),
                absl::OkStatus());
    }
    if (thread == 0) over = true;
  });
  remove_abandoned(folder());
  EXPECT_THAT(names(), UnorderedElementsAre("0.sizes", "1.sizes", "2.sizes"));
}

TEST(DefaultCacheFolder, FollowsTheEnvironment) {
  const auto folder = [](const char* cache, const char* home) {
    const ScopedVariable cache_home("XDG_CACHE_HOME", cache);
    const ScopedVariable user_home("HOME", home);
    return default_cache_folder();
  };
  EXPECT_EQ(folder("/var/tmp/c", "/home/m"), "/var/tmp/c/scidfs");
  EXPECT_EQ(folder(nullptr, "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder("", "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder("relative/is/not/allowed", "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder(nullptr, nullptr), "");
  EXPECT_EQ(folder(nullptr, "home"), "");
}

}  // namespace
}  // namespace scidfs::cache
