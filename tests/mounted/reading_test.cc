// Reads at any offset, mapped, from many threads, and again after a remount.
#include <dirent.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "cache/hash.h"
#include "fs/base/inode.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

class ReadingTest : public SampleTest {};

// Reads a known file at random places; counts bytes that differ from `text`.
void read_at_random(const filesystem::path& path, const std::string& text, unsigned seed,
                    std::atomic<unsigned>& wrong) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // Bypasses the page cache, so that each read is a request to the daemon.
  ::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  std::mt19937 random(seed);
  std::vector<char> buffer(300'000);
  for (int round = 0; round < 200; ++round) {
    const std::size_t offset = random() % (text.size() + 1000);
    const std::size_t size = random() % (round % 4 == 0 ? buffer.size() : 4000);
    if (round % 10 == 0) ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    const ssize_t got = ::pread(file, buffer.data(), size, static_cast<off_t>(offset));
    const std::string_view expected =
        offset < text.size() ? std::string_view(text).substr(offset, size) : std::string_view();
    if (got < 0 || std::string_view(buffer.data(), static_cast<std::size_t>(got)) != expected)
      ++wrong;
  }
  ::close(file);
}

TEST_F(ReadingTest, ReadsRandomOffsetsFromManyThreads) {
  const filesystem::path path = *mount_ / "all.pgn";
  const std::string text = read_all(path);
  ASSERT_GT(text.size(), 500'000U);
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] { read_at_random(path, text, i, wrong); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

TEST_F(ReadingTest, ReadsTheSameWithoutCacheAndWithOneThread) {
  const std::string text = read_all(*mount_ / "all.pgn");
  const Mount other({.source = sample_database(), .options = "cache=0", .words = {"-s"}});
  ASSERT_TRUE(other.ok());
  std::atomic<unsigned> wrong = 0;
  read_at_random(other / "all.pgn", text, 1, wrong);
  EXPECT_EQ(wrong, 0U);
  EXPECT_TRUE(read_all(other / "all.pgn") == text);
}

TEST_F(ReadingTest, ReadsNothingAfterTheEnd) {
  const filesystem::path path = *mount_ / "games/1.pgn";
  const std::string text = read_all(path);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  const auto size = static_cast<off_t>(text.size());
  EXPECT_EQ(::pread(file, &byte, 1, size - 1), 1);
  EXPECT_EQ(byte, '\n');
  for (const off_t offset : {size, size + 1, size + 5000, off_t{1} << 40}) {
    EXPECT_EQ(::pread(file, &byte, 1, offset), 0) << offset;
  }
  ::close(file);
}

TEST_F(ReadingTest, MappedFilesHaveTheirText) {
  for (const char* const name : {"all.pgn", "games/1.pgn", "index.tsv"}) {
    const std::string text = read_all(*mount_ / name);
    const int file = ::open((*mount_ / name).c_str(), O_RDONLY | O_CLOEXEC);
    void* const map = ::mmap(nullptr, text.size(), PROT_READ, MAP_SHARED, file, 0);
    ASSERT_NE(map, MAP_FAILED) << name;
    EXPECT_TRUE(std::string_view(static_cast<const char*>(map), text.size()) == text) << name;
    ::munmap(map, text.size());
    ::close(file);
  }
}

TEST_F(ReadingTest, ConcurrentListingsAreComplete) {
  const filesystem::path games = *mount_ / "games/00000";
  const std::vector<std::string> expected = names_in(games);
  ASSERT_GT(expected.size(), 900U);
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        if (names_in(games) != expected) ++wrong;
        if (i % 2 == 0) read_all(games / expected[static_cast<std::size_t>(i * 10 + round)]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

TEST_F(ReadingTest, ListingsContinueAtEarlierPosition) {
  // After a seek to an earlier position, a stream returns the same entries again.
  DIR* const stream = ::opendir((*mount_ / "games/00000").c_str());
  ASSERT_NE(stream, nullptr);
  std::vector<std::pair<long, std::string>> seen;
  for (;;) {
    const long position = ::telldir(stream);
    const dirent* const entry = ::readdir(stream);
    if (entry == nullptr) break;
    seen.emplace_back(position, entry->d_name);
    EXPECT_NE(entry->d_type, DT_UNKNOWN);
  }
  ASSERT_GT(seen.size(), 900U);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}, seen.size() / 2}) {
    ::seekdir(stream, seen[i].first);
    const dirent* const entry = ::readdir(stream);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->d_name, seen[i].second);
  }
  ::closedir(stream);
}

TEST_F(ReadingTest, ListedInodeNumbersEqualThoseOfStat) {
  const std::string listed = run_ok(fmt::format("cd {} && ls -iU games/00000 | sed 's/^ *//'",
                                                shell_word(mount_->path().string())));
  const std::string found =
      run_ok(fmt::format("cd {} && for i in $(ls -U games/00000); do "
                         "stat -c '%i %n' games/00000/$i; done | sed s,games/00000/,,",
                         shell_word(mount_->path().string())));
  EXPECT_TRUE(listed == found);
}

// "inode path" of everything except status.txt, whose number is new each time.
std::string numbers_of(const Mount& mount) {
  return run_ok(fmt::format("cd {} && find . ! -name status.txt -printf '%i %p\\n' | sort",
                            shell_word(mount.path().string())));
}

TEST_F(ReadingTest, InodeNumbersAreUniqueAndSurviveRemount) {
  const std::string before = numbers_of(*mount_);
  const std::string twice = run_ok(fmt::format("find {} -printf '%i\\n' | sort | uniq -d | wc -l",
                                               shell_word(mount_->path().string())));
  EXPECT_EQ(twice, "0\n");
  mount_ = std::make_unique<Mount>(MountSetup{.source = sample_database()});
  ASSERT_TRUE(mount_->ok());
  EXPECT_TRUE(numbers_of(*mount_) == before);
}

// The kernel looks for inodes by a hash to which the high bits add little: `ls -l` of 30,000 PGN
// files took half a minute.
TEST_F(ReadingTest, InodeNumbersOfManyFilesDifferInTheirLowBits) {
  constexpr std::size_t kFiles = 300;
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < kFiles; ++i) {
    std::ofstream(folder / fmt::format("{}.pgn", i)) << "[White \"w\"]\n\n1. e4 *\n";
  }
  const Mount mount({.source = folder.path()});
  ASSERT_TRUE(mount.ok());
  struct stat status {};
  ASSERT_EQ(::stat(mount.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_ino, fs::kRootInode);
  std::set<ino_t> low;
  for (std::size_t i = 0; i < kFiles; ++i) {
    ASSERT_EQ(::stat((mount / fmt::format("{}.pgn", i)).c_str(), &status), 0);
    low.insert(status.st_ino % (1U << fs::kSlotBits));
  }
  EXPECT_EQ(low.size(), kFiles);
}

// A file handle as an NFS server keeps it.
class Handle {
 public:
  explicit Handle(const std::filesystem::path& path) {
    handle()->handle_bytes = MAX_HANDLE_SZ;
    int id = 0;
    EXPECT_EQ(::name_to_handle_at(AT_FDCWD, path.c_str(), handle(), &id, 0), 0)
        << std::strerror(errno);
  }
  // A descriptor, or -1 and errno.
  int open(const std::filesystem::path& mount, int flags) {
    const int folder = ::open(mount.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int opened = ::open_by_handle_at(folder, handle(), flags | O_RDONLY | O_CLOEXEC);
    const int error = errno;
    ::close(folder);
    errno = error;
    return opened;
  }

 private:
  file_handle* handle() { return reinterpret_cast<file_handle*>(room_.data()); }
  alignas(file_handle) std::array<char, sizeof(file_handle) + MAX_HANDLE_SZ> room_{};
};

TEST_F(ReadingTest, HandlesSurviveRemount) {
  Handle handle(*mount_ / "games/1.pgn");
  const std::string text = read_all(*mount_ / "games/1.pgn");
  mount_ = std::make_unique<Mount>(MountSetup{.source = sample_database()});
  ASSERT_TRUE(mount_->ok());
  const int file = handle.open(mount_->path(), 0);
  if (file < 0 && errno == EPERM) GTEST_SKIP() << "only root may open by handle";
  ASSERT_GE(file, 0) << std::strerror(errno);
  std::string again(text.size() + 1, '\0');
  const ssize_t got = ::pread(file, again.data(), again.size(), 0);
  ::close(file);
  ASSERT_EQ(got, static_cast<ssize_t>(text.size()));
  again.pop_back();
  EXPECT_TRUE(again == text);
}

TEST_F(ReadingTest, HandlesOfDirectoriesHaveParents) {
  for (const std::string_view place : {"", "games", "games/00001", "players", "players/mo",
                                       "events", "years/1851", "eco/C", "deleted/00000", "flags"}) {
    Handle handle(*mount_ / place);
    mount_ = std::make_unique<Mount>(MountSetup{.source = sample_database()});
    ASSERT_TRUE(mount_->ok());
    const int directory = handle.open(mount_->path(), O_DIRECTORY);
    if (directory < 0 && errno == EPERM) GTEST_SKIP() << "only root may open by handle";
    ASSERT_GE(directory, 0) << place << ": " << std::strerror(errno);
    std::error_code error;
    EXPECT_EQ(std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", directory), error),
              place.empty() ? mount_->path() : mount_->path() / place);
    ::close(directory);
  }
}

// Two names of databases that get one slot when a mount has only one of them.
std::pair<std::string, std::string> names_with_one_slot() {
  std::map<std::uint64_t, std::string> names;
  for (int i = 0;; ++i) {
    const std::string name = fmt::format("base{}.si4", i);
    const auto [other, is_new] = names.emplace(cache::fingerprint(name) % fs::kMaxSlot, name);
    if (!is_new) return {other->second, name};
  }
}

TEST_F(ReadingTest, HandlesOfDatabaseDoNotOpenAnother) {
  const auto [first, second] = names_with_one_slot();
  const TemporaryFolder folder;
  const auto stem = [](const std::string& name) { return name.substr(0, name.size() - 4); };
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    filesystem::copy(sample_folder() / (std::string("sample") + extension),
                     folder / (stem(first) + extension));
  }
  mount_ = std::make_unique<Mount>(MountSetup{.source = folder.path()});
  ASSERT_TRUE(mount_->ok());
  std::vector<std::pair<std::string, Handle>> handles;
  for (const std::string place : {"", "games", "players", "all.pgn", "games/7.pgn", "info.txt"}) {
    handles.emplace_back(place, *mount_ / (first + "/" + place));
  }
  const auto number = [&](const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat((*mount_ / path).c_str(), &status), 0) << path;
    return status.st_ino;
  };
  const ino_t directory = number(first + "/games");
  // The number of handles that open after a remount; the others are stale.
  const auto count_open = [&]() -> int {
    mount_ = std::make_unique<Mount>(MountSetup{.source = folder.path()});
    EXPECT_TRUE(mount_->ok());
    int opened = 0;
    for (auto& [place, handle] : handles) {
      const int descriptor = handle.open(mount_->path(), 0);
      if (descriptor < 0 && errno == EPERM) return -1;
      if (descriptor >= 0) {
        ++opened;
        ::close(descriptor);
      } else {
        EXPECT_EQ(errno, ESTALE) << place << ": " << std::strerror(errno);
      }
    }
    return opened;
  };
  const int unchanged = count_open();
  if (unchanged < 0) GTEST_SKIP() << "only root may open by handle";
  EXPECT_EQ(unchanged, static_cast<int>(handles.size()));
  // The directories have the same inode numbers as those of the first database.
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    filesystem::rename(folder / (stem(first) + extension), folder / (stem(second) + extension));
  }
  EXPECT_EQ(count_open(), 0);
  EXPECT_EQ(number(second + "/games"), directory);
  // Another version with the same name has the directories of the old one, and files of its own.
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    filesystem::rename(folder / (stem(second) + extension), folder / (stem(first) + extension));
  }
  run_ok("touch -d '2001-02-03 04:05:06' " + word(folder / first));
  EXPECT_EQ(count_open(), 3);
}

// The number in a line of status.txt; -1 if it is missing.
int status_number(const Mount& mount, const std::string& key) {
  const std::string status = read_all(mount / "status.txt");
  const std::size_t at = status.find("\n" + key + ": ");
  return at == std::string::npos ? -1 : std::atoi(status.c_str() + at + key.size() + 3);
}

TEST_F(ReadingTest, BlocksMadeAheadHaveBytesOfTheFile) {
  const Mount plain({.source = sample_database(), .options = "cache=0"});
  ASSERT_TRUE(plain.ok());
  const std::string expected = read_all(plain / "all.pgn");
  const std::size_t start = std::size_t{512} << 10;
  ASSERT_GT(expected.size(), 2 * start);
  EXPECT_EQ(status_number(plain, "cache made ahead"), 0);

  const int file = ::open((*mount_ / "all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
  std::string text(expected.size() + 1, '\0');
  ASSERT_EQ(::pread(file, text.data(), start, 0), static_cast<ssize_t>(start));
  for (int i = 0; i < 1000 && status_number(*mount_, "cache made ahead") <= 0; ++i)
    ::usleep(20'000);
  EXPECT_GT(status_number(*mount_, "cache made ahead"), 0);
  const ssize_t rest = ::pread(file, text.data() + start, text.size() - start, start);
  ::close(file);
  text.resize(start + static_cast<std::size_t>(std::max<ssize_t>(rest, 0)));
  EXPECT_TRUE(text == expected);
}

TEST_F(ReadingTest, UnmountsDuringStream) {
  for (int round = 0; round < 5; ++round) {
    Mount mount({.source = sample_database()});
    ASSERT_TRUE(mount.ok());
    const int file = ::open((mount / "all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
    std::string text(std::size_t{600} << 10, '\0');
    EXPECT_GT(::pread(file, text.data(), text.size(), 0), 0);
    ::close(file);
    EXPECT_EQ(mount.unmount(), 0);
  }
}

}  // namespace
}  // namespace scidfs::tests
