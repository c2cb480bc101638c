#include "fs/file/cache_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>

#include "fs/file/cache_folder.h"
#include "fs/file/cache_remarks.h"
#include "tests/cache/threads.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;
namespace stdfs = std::filesystem;
using cache::run_threads;

constexpr std::uint64_t kKey = 0x0123456789abcdef;
constexpr char kName[] = "0123456789abcdef.sizes";

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

class CacheFileTest : public ::testing::Test {
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
    for (const auto& entry : stdfs::directory_iterator(folder()))
      names.push_back(entry.path().filename());
    return names;
  }
  absl::StatusCode load_code(std::uint64_t key, std::size_t count) const {
    return load_words(path(), key, count).status().code();
  }

  const stdfs::path& folder() const { return folder_.path(); }
  stdfs::path path() const { return folder_ / kName; }

  const std::vector<std::uint32_t> words_ = {700, 0, 1, 0xffffffff, 0x01020304};

 private:
  tests::TemporaryFolder folder_;
};

TEST_F(CacheFileTest, SavedWordsAreLoaded) {
  ASSERT_EQ(save_words(path(), kKey, words_), absl::OkStatus());
  const auto loaded = load_words(path(), kKey, words_.size());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_THAT(*loaded, ElementsAreArray(words_));
  EXPECT_THAT(names(), ElementsAre(kName));

  struct stat attributes {};
  ASSERT_EQ(::stat(path().c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 0777, 0600);
}

TEST_F(CacheFileTest, SavesNoWordsAndManyWords) {
  ASSERT_EQ(save_words(path(), kKey, {}), absl::OkStatus());
  EXPECT_TRUE(load_words(path(), kKey, 0).ok());

  std::vector<std::uint32_t> many(300'000);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<std::uint32_t>(i * 2654435761);
  ASSERT_EQ(save_words(path(), kKey, many), absl::OkStatus());
  EXPECT_EQ(*load_words(path(), kKey, many.size()), many);
}

// The name is a promise to files written by earlier versions.
TEST_F(CacheFileTest, EachNameHasItsOwnFile) {
  const CacheFile one(folder(), "one", kKey);
  one.save(words_, "");
  EXPECT_THAT(names(), ElementsAre("911faba7321fe1a0.sizes"));
  EXPECT_EQ(one.load(words_.size()), words_);
  EXPECT_EQ(one.load(std::nullopt), words_);
  EXPECT_EQ(CacheFile(folder(), "one", kKey + 1).load(std::nullopt), std::nullopt);
  EXPECT_EQ(CacheFile(folder(), "other", kKey).load(std::nullopt), std::nullopt);
}

TEST_F(CacheFileTest, WithoutAFolderNothingIsSaved) {
  const CacheFile none("", "one", kKey);
  EXPECT_FALSE(none.is_wanted());
  none.save(words_, "");
  EXPECT_EQ(none.load(std::nullopt), std::nullopt);
}

TEST_F(CacheFileTest, MissingFileIsNotFound) {
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kNotFound);
  EXPECT_THAT(load_words(path(), kKey, 5).status().ToString(),
              HasSubstr("Cannot read " + path().native() + ": No such file or directory"));
}

TEST_F(CacheFileTest, OtherStateOfDatabaseIsFailedPrecondition) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  const absl::Status status = load_words(path(), kKey + 1, words_.size()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("Cannot use " + path().native() + ": made"));
}

TEST_F(CacheFileTest, DamageIsDataLoss) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  const std::string good = read();
  std::string flipped = good;
  flipped.back() ^= 1;
  for (const std::string& bad : {flipped, good.substr(0, 20), good.substr(0, 50), good + "more"}) {
    write(bad);
    EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kDataLoss);
  }
  write(good);
  EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kOk);
  EXPECT_EQ(load_code(kKey, ~std::size_t{0}), absl::StatusCode::kDataLoss);
}

// A user who may write to a cache file, or replace it, could forge any words.
TEST_F(CacheFileTest, FilesWritableByOthersAreNotRead) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  for (const bool is_folder : {false, true}) {
    const stdfs::path place = is_folder ? folder() : path();
    const std::string why =
        "Cannot use " + place.native() + ": others than its owner may write to it";
    for (const mode_t bit : {mode_t{S_IWGRP}, mode_t{S_IWOTH}}) {
      ASSERT_EQ(::chmod(place.c_str(), 0755 | bit), 0);
      EXPECT_EQ(load_words(path(), kKey, words_.size()).status(),
                is_folder ? absl::FailedPreconditionError(why + " (this helps: chmod go-w " +
                                                          place.native() + ")")
                          : absl::DataLossError(why));
    }
    ASSERT_EQ(::chmod(place.c_str(), 0755), 0);
    EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kOk);
  }
}

TEST_F(CacheFileTest, FilesOfOtherUsersAreNotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  constexpr uid_t kOther = 65534;
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  for (const bool is_folder : {false, true}) {
    const stdfs::path place = is_folder ? folder() : path();
    const std::string why = "Cannot use " + place.native() + ": it belongs to another user";
    ASSERT_EQ(::chown(place.c_str(), kOther, 0), 0);
    EXPECT_EQ(load_words(path(), kKey, words_.size()).status(),
              is_folder ? absl::FailedPreconditionError(why + " (this helps: chown 0 " +
                                                        place.native() + ")")
                        : absl::DataLossError(why));
    ASSERT_EQ(::chown(place.c_str(), 0, 0), 0);
    EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kOk);
  }
}

TEST_F(CacheFileTest, OnlyRegularFileIsRead) {
  stdfs::create_directory(path());
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kDataLoss);
  stdfs::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(load_code(kKey, 5), absl::StatusCode::kDataLoss);
  stdfs::remove(path());
  ASSERT_TRUE(save_words(folder() / "elsewhere", kKey, words_).ok());
  stdfs::create_symlink("elsewhere", path());
  EXPECT_FALSE(load_words(path(), kKey, words_.size()).ok());
}

// What others may write to would not be read again.
TEST_F(CacheFileTest, NothingIsSavedInAFolderOfOthers) {
  ASSERT_EQ(::chmod(folder().c_str(), 0777), 0);
  EXPECT_TRUE(absl::IsFailedPrecondition(save_words(path(), kKey, words_)));
  std::ofstream(folder() / ".0123456789abcdef.sizes.scidfs-01234567") << "half a ta";
  remove_abandoned_cache_files(folder());
  EXPECT_THAT(names(), ElementsAre(".0123456789abcdef.sizes.scidfs-01234567"));
}

TEST_F(CacheFileTest, AFileOfTheUserIsNotReplaced) {
  const std::string why = "Cannot write " + path().native() + ": " + path().native() +
                          " is no file of scidfs: not replaced";
  for (const char* const mine : {"not a cache file, but a long text of the user's own", "mine"}) {
    write(mine);
    EXPECT_EQ(save_words(path(), kKey, words_), absl::AlreadyExistsError(why));
    EXPECT_EQ(read(), mine);
  }
  EXPECT_EQ(std::ranges::count(cache_remarks(), why), 1);
}

// A power failure leaves them.
TEST_F(CacheFileTest, AnEmptyFileIsMadeAgain) {
  write("");
  EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kDataLoss);
  EXPECT_EQ(save_words(path(), kKey, words_), absl::OkStatus());
  EXPECT_EQ(load_code(kKey, words_.size()), absl::StatusCode::kOk);
  stdfs::remove(path());
  stdfs::create_directory(path());
  EXPECT_EQ(save_words(path(), kKey, words_).code(), absl::StatusCode::kAlreadyExists);
}

TEST_F(CacheFileTest, SavingReplacesExistingFile) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  ASSERT_TRUE(save_words(path(), kKey + 1, words_).ok());
  EXPECT_TRUE(load_words(path(), kKey + 1, words_.size()).ok());
  EXPECT_THAT(names(), ElementsAre(kName));
}

TEST_F(CacheFileTest, MissingFoldersAreMadeForOwnerOnly) {
  const stdfs::path deep = folder() / "a" / "b" / kName;
  ASSERT_EQ(save_words(deep, kKey, words_), absl::OkStatus());
  EXPECT_TRUE(load_words(deep, kKey, words_.size()).ok());
  for (const stdfs::path& made : {folder() / "a", folder() / "a" / "b"}) {
    EXPECT_EQ(stdfs::status(made).permissions(), stdfs::perms::owner_all) << made;
  }
}

TEST_F(CacheFileTest, FailedWriteKeepsOldFileAndLeavesNoOther) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  // The limits cut the header, the words (a short write), and nothing but the last byte.
  const std::vector<std::uint32_t> larger(1000, 7);
  for (const rlim_t limit : {10, 1000, 4039}) {
    absl::Status status;
    {
      const ScopedFileLimit scoped(limit);
      status = save_words(path(), kKey, larger);
    }
    EXPECT_THAT(status.ToString(),
                HasSubstr("Cannot write " + path().native() + ": File too large"));
    EXPECT_THAT(names(), ElementsAre(kName));
    EXPECT_EQ(*load_words(path(), kKey, words_.size()), words_);
  }
}

TEST_F(CacheFileTest, FailedRenameLeavesNoFile) {
  stdfs::create_directory(path());
  EXPECT_THAT(save_words(path(), kKey, words_).ToString(), HasSubstr(path().native()));
  EXPECT_THAT(names(), ElementsAre(kName));
  EXPECT_FALSE(save_words(folder() / "", kKey, words_).ok());
  EXPECT_FALSE(save_words("", kKey, words_).ok());
  EXPECT_THAT(names(), ElementsAre(kName));
}

TEST_F(CacheFileTest, InvalidFolderGivesErrorStatus) {
  write("a file, not a folder");
  const absl::Status below_file = save_words(path() / "x.sizes", kKey, words_);
  EXPECT_THAT(below_file.ToString(), HasSubstr(path().native() + ": Not a directory"));
  EXPECT_FALSE(save_words(path() / "deeper" / "x.sizes", kKey, words_).ok());
  EXPECT_FALSE(save_words("/proc/scidfs/x.sizes", kKey, words_).ok());
}

TEST_F(CacheFileTest, ReadOnlyFolderGivesErrorStatus) {
  stdfs::permissions(folder(), stdfs::perms::owner_read | stdfs::perms::owner_exec);
  const bool root =
      ::geteuid() == 0;  // root may write everywhere, so the process briefly runs as another user
  constexpr uid_t kOther = 65534;
  if (root && (::chown(folder().c_str(), kOther, 0) != 0 || ::seteuid(kOther) != 0)) {
    GTEST_SKIP() << "cannot be another user";
  }
  const absl::Status status = save_words(path(), kKey, words_);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_THAT(status.ToString(),
              HasSubstr("Cannot write " + path().native() + ": Permission denied"));
  stdfs::permissions(folder(), stdfs::perms::owner_all);
}

// Two mounts save, a third loads: it sees one of the two files, whole.
TEST_F(CacheFileTest, ReaderSeesOnlyWholeFiles) {
  const std::vector<std::uint32_t> ones(5000, 1);
  const std::vector<std::uint32_t> twos(5000, 2);
  ASSERT_TRUE(save_words(path(), kKey, ones).ok());
  run_threads(3, [&](unsigned thread) {
    for (int i = 0; i < 8; ++i) {
      if (thread < 2) {
        EXPECT_EQ(save_words(path(), kKey, thread == 0 ? ones : twos), absl::OkStatus());
        continue;
      }
      const auto loaded = load_words(path(), kKey, 5000);
      ASSERT_TRUE(loaded.ok()) << loaded.status();
      EXPECT_THAT(*loaded, AnyOf(ones, twos));
    }
  });
  EXPECT_THAT(names(), ElementsAre(kName));
}

// A process that saves repeatedly until it is killed.
pid_t start_writer(const stdfs::path& path, const std::vector<std::vector<std::uint32_t>>& tables) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (std::size_t round = 0;; ++round) {
    if (!save_words(path, kKey, tables[round % tables.size()]).ok()) ::_exit(1);
  }
}

TEST_F(CacheFileTest, KilledWriterLeavesValidFile) {
  // Large enough that most of a writer's time goes into writing.
  const std::vector<std::vector<std::uint32_t>> tables = {std::vector<std::uint32_t>(300'000, 1),
                                                          std::vector<std::uint32_t>(300'000, 2)};
  std::mt19937 random(1);
  unsigned left_something = 0;
  for (int round = 0; round < 100; ++round) {
    if (round % 20 == 0) stdfs::remove(path());
    const pid_t writer = start_writer(path(), tables);
    ASSERT_GT(writer, 0);
    ::usleep(static_cast<unsigned>(random() % 20'000));
    ::kill(writer, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it failed before it was killed";
    if (names().size() > (stdfs::exists(path()) ? 1U : 0U)) ++left_something;

    // What the next start does.
    remove_abandoned_cache_files(folder());
    const auto loaded = load_words(path(), kKey, tables[0].size());
    if (loaded.ok()) {
      EXPECT_THAT(*loaded, AnyOf(tables[0], tables[1]));
      EXPECT_THAT(names(), ElementsAre(kName));
    } else {
      EXPECT_TRUE(absl::IsNotFound(loaded.status())) << loaded.status();
      EXPECT_THAT(names(), IsEmpty());
    }
  }
  EXPECT_GT(left_something, 0U) << "no writer was met in the middle of its work";
}

TEST_F(CacheFileTest, OnlyAbandonedFilesAreRemoved) {
  ASSERT_TRUE(save_words(path(), kKey, words_).ok());
  const std::string name(kName);
  const std::vector<std::string> others = {name + ".old",
                                           name + ".backup",
                                           name + ".scidfs-01234567",
                                           "." + name + ".scidfs-0123456",
                                           "." + name + ".scidfs-0123456g",
                                           ".0123456789abcdef.size.scidfs-01234567",
                                           ".0123456789ABCDEF.sizes.scidfs-01234567",
                                           ".123456789abcdef.sizes.scidfs-01234567",
                                           ".mega.sizes.scidfs-01234567",
                                           ".scidfs-01234567",
                                           ".book.kin.scidfs-01234567",
                                           "a letter"};
  for (const std::string& other : others) std::ofstream(folder() / other) << "mine";
  const std::string is_folder = "." + name + ".scidfs-11234567";
  const std::string is_letter = "." + name + ".scidfs-21234567";
  const std::string live_name = "." + name + ".scidfs-89abcdef";
  stdfs::create_directory(folder() / is_folder);
  stdfs::create_hard_link(folder() / "a letter", folder() / is_letter);
  std::ofstream(folder() / ("." + name + ".scidfs-31234567")) << "half a ta";
  std::ofstream(folder() / live_name) << "half a ta";
  // What a writer of an index file left.
  std::ofstream(folder() / ".0123456789abcdef.index.scidfs-01234567") << "half a table";
  const int live = ::open((folder() / live_name).c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(live, LOCK_EX), 0);

  remove_abandoned_cache_files(folder());
  std::vector<std::string> expected = others;
  expected.insert(expected.end(), {kName, is_folder, is_letter, live_name});
  EXPECT_THAT(names(), UnorderedElementsAreArray(expected));
  ::close(live);
  remove_abandoned_cache_files(folder());
  EXPECT_FALSE(stdfs::exists(folder() / live_name));
  remove_abandoned_cache_files(folder() / "none");
  remove_abandoned_cache_files("");
}

// A mount that starts must not remove the files that others are writing.
TEST_F(CacheFileTest, RemovalDoesNotAffectActiveWriters) {
  const std::vector<std::uint32_t> words(2000, 7);
  const auto name = [](unsigned thread) { return cache_digits(thread) + ".sizes"; };
  std::atomic<bool> over = false;
  run_threads(4, [&](unsigned thread) {
    if (thread == 3) {
      while (!over) remove_abandoned_cache_files(folder());
      return;
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(save_words(folder() / name(thread), kKey, words), absl::OkStatus());
    }
    if (thread == 0) over = true;
  });
  remove_abandoned_cache_files(folder());
  EXPECT_THAT(names(), UnorderedElementsAre(name(0), name(1), name(2)));
}

}  // namespace
}  // namespace scidfs::fs
