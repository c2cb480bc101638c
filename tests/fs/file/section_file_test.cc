#include "fs/file/section_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "tests/cache/threads.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using tests::read_file;
using tests::write_file;

constexpr std::uint64_t kSectionKey = 0x0123456789abcdef;
// Where the layout begins in a file, and where the table of sections does.
constexpr std::size_t kSectionLayoutAt = 8;
constexpr std::size_t kSectionTablesAt = 48;

class SectionFileTest : public ::testing::Test {
 protected:
  SectionFileTest() : small_(5000), large_(2'300'000) {
    std::iota(small_.begin(), small_.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < large_.size(); ++i) {
      large_[i] = static_cast<std::uint8_t>(i * i >> 7);
    }
  }

  // A section in one piece, one in several, and an empty one.
  SectionImage image(std::uint64_t key = kSectionKey) const {
    const codec::Bytes large = large_;
    constexpr std::size_t kCut = 1'700'001;
    return SectionImage(key, {{.number = 40, .pieces = {large.first(kCut), large.subspan(kCut)}},
                              {.number = 2, .pieces = {small_}},
                              {.number = 3, .pieces = {}}});
  }
  bool remake(absl::FunctionRef<bool(const SectionImage&)> take) const { return take(image()); }

  auto map(std::uint64_t key = kSectionKey) const {
    return SectionFile::map(path_, key, [this](auto take) { return remake(take); });
  }
  // Maps a file with these bytes.
  absl::StatusCode code_of(const std::string& bytes) const {
    write_file(path_, bytes);
    return map().status().code();
  }
  std::string saved() const {
    EXPECT_TRUE(save_sections(path_, image(), [] { return false; }).ok());
    return read_file(path_);
  }
  void expect_whole(const SectionFile& file) const {
    EXPECT_TRUE(std::ranges::equal(file.section(2), small_));
    EXPECT_TRUE(std::ranges::equal(file.section(40), large_));
    EXPECT_TRUE(file.section(3).empty());
    EXPECT_TRUE(file.section(5).empty());
  }

  std::vector<std::uint8_t> small_;
  std::vector<std::uint8_t> large_;
  tests::TemporaryFolder folder_;
  const stdfs::path path_ = folder_ / "0123456789abcdef.index";
};

TEST_F(SectionFileTest, MapsWhatWasSaved) {
  const std::string bytes = saved();
  EXPECT_EQ(bytes.size(), image().size());
  EXPECT_TRUE(is_section_file(path_));
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  expect_whole(**file);
  EXPECT_EQ((*file)->values<std::uint32_t>(2, 1250).size(), 1250U);
  EXPECT_TRUE((*file)->values<std::uint32_t>(2, 1249).empty());
  EXPECT_TRUE(absl::IsFailedPrecondition(map(kSectionKey + 1).status()));
}

TEST_F(SectionFileTest, NoFlippedByteOfTheTablesIsAccepted) {
  const std::string good = saved();
  // Three sections, and the checksums of one block and of three.
  const std::size_t head = kSectionTablesAt + 3 * 24 + 4 * 8;
  for (std::size_t at = 0; at < head; ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
    const absl::StatusCode code = code_of(bad);
    const bool is_other = at >= kSectionLayoutAt && at < 24;
    EXPECT_TRUE(code == absl::StatusCode::kDataLoss ||
                (is_other && code == absl::StatusCode::kFailedPrecondition))
        << at;
  }
  EXPECT_EQ(code_of(good), absl::StatusCode::kOk);
}

TEST_F(SectionFileTest, NoDamagedBytesAreShown) {
  const std::string good = saved();
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    for (std::uint64_t count = random() % 4; count < 4; ++count) {
      bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
    }
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    write_file(path_, bad);
    const auto file = map();
    if (file.ok()) expect_whole(**file);  // between two sections is nothing
  }
  for (const std::size_t size :
       {std::size_t{0}, kSectionTablesAt - 1, kSectionTablesAt + 9, good.size() - 1}) {
    EXPECT_EQ(code_of(good.substr(0, size)), absl::StatusCode::kDataLoss) << size;
  }
  EXPECT_EQ(code_of(good + "x"), absl::StatusCode::kDataLoss);
}

TEST_F(SectionFileTest, ReadsNoFileThatOthersMayWrite) {
  saved();
  stdfs::permissions(path_, stdfs::perms(0620));
  EXPECT_TRUE(absl::IsDataLoss(map().status()));
  EXPECT_FALSE(is_section_file(path_));
}

TEST_F(SectionFileTest, CancelledSavingLeavesNothing) {
  EXPECT_TRUE(absl::IsCancelled(save_sections(path_, image(), [] { return true; })));
  EXPECT_TRUE(stdfs::is_empty(folder_.path()));
}

// Many threads read while the file is cut: all see the bytes that it had.
TEST_F(SectionFileTest, KeepsCutBytes) {
  saved();
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  cache::run_threads(8, [&](int thread) {
    if (thread == 0) {
      EXPECT_EQ(::truncate(path_.c_str(), 0), 0);
    }
    expect_whole(**file);
  });
  EXPECT_EQ(stdfs::file_size(path_), 0U);
  EXPECT_TRUE(MappedFile::may_show());
}

// The same if the thread that mapped it has ended. The kernel itself ends a lease after 45 seconds.
TEST_F(SectionFileTest, EndsLeasesThatAnotherThreadTook) {
  saved();
  absl::StatusOr<std::unique_ptr<const SectionFile>> file;
  std::thread([&] { file = map(); }).join();
  ASSERT_TRUE(file.ok()) << file.status();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  int writer = -1;
  while (writer < 0 && std::chrono::steady_clock::now() < end) {
    writer = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (writer < 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_GE(writer, 0) << "the lease is still there";
  EXPECT_EQ(::ftruncate(writer, 0), 0);
  ::close(writer);
  expect_whole(**file);
}

// The same if a program overwrites it, where no signal would tell.
TEST_F(SectionFileTest, KeepsOverwrittenBytes) {
  const std::string bytes = saved();
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  write_file(path_, std::string(bytes.size(), 'x'));
  expect_whole(**file);
}

TEST_F(SectionFileTest, MapsNothingThatAProgramWrites) {
  saved();
  const std::ofstream writer(path_, std::ios::binary | std::ios::app);
  EXPECT_TRUE(absl::IsFailedPrecondition(map().status()));
}

// Waits until the thread of mapped files sleeps: it has looked at all files that are mapped now. If
// it looked after their leases were broken, it would copy their bytes before a test cuts them.
void await_mapping_thread() {
  const auto is_done = [](const stdfs::path& thread) {
    return read_file(thread / "comm") == "mapped files\n" &&
           read_file(thread / "stat").find(" S ") != std::string::npos;
  };
  while (std::ranges::none_of(stdfs::directory_iterator("/proc/self/task"), is_done)) {
    std::this_thread::yield();
  }
}

// Ends all leases of this process on a file, as the kernel does when it has no answer in time.
void break_leases(const stdfs::path& path) {
  await_mapping_thread();
  for (const auto& entry : stdfs::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (stdfs::read_symlink(entry.path(), ignored) == path) {
      ::fcntl(std::stoi(entry.path().filename()), F_SETLEASE, F_UNLCK);
    }
  }
}

TEST_F(SectionFileTest, MakesCutBytesAgain) {
  saved();
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  break_leases(path_);
  ASSERT_EQ(::truncate(path_.c_str(), 0), 0);
  cache::run_threads(8, [&](int) { expect_whole(**file); });
  EXPECT_TRUE(MappedFile::may_show());
}

// What cannot be made again is told as such: these bytes are all zeros, and nothing may be shown.
void lose_bytes(const stdfs::path& path, SectionFile::Remake remake) {
  const auto file = SectionFile::map(path, kSectionKey, std::move(remake));
  break_leases(path);
  if (!file.ok() || ::truncate(path.c_str(), 0) != 0) std::_Exit(2);
  const bool is_zero = std::ranges::count((*file)->section(40), 0) ==
                       static_cast<std::ptrdiff_t>((*file)->section(40).size());
  std::_Exit(is_zero && !MappedFile::may_show() ? 0 : 1);
}

TEST_F(SectionFileTest, LostBytesStopAllAnswers) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto refuse = [](auto) { return false; };
  const auto other = [this](auto take) { return take(image(kSectionKey + 1)); };
  const auto fail = [](auto) -> bool { throw std::bad_alloc(); };
  for (const SectionFile::Remake& remake :
       {SectionFile::Remake(refuse), SectionFile::Remake(other), SectionFile::Remake(fail)}) {
    saved();
    EXPECT_EXIT(lose_bytes(path_, remake), ::testing::ExitedWithCode(0), "cannot be made again");
  }
}

// A fault that is not of a mapped file ends the process as ever, and so does a write to one.
TEST_F(SectionFileTest, OtherFaultsEndTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  saved();
  using Fault = void (*)(codec::Bytes section);
  const auto raise_fault = [](codec::Bytes) { ::raise(SIGSEGV); };
  const auto read_elsewhere = [](codec::Bytes) {
    void* const forbidden = ::mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::_Exit(*static_cast<volatile const std::uint8_t*>(forbidden));
  };
  const auto write_section = [](codec::Bytes section) {
    const_cast<volatile std::uint8_t&>(section[0]) = 1;
  };
  for (const Fault fault : {Fault(raise_fault), Fault(read_elsewhere), Fault(write_section)}) {
    EXPECT_EXIT(
        {
          ::signal(SIGSEGV, SIG_DFL);  // instead of a sanitizer's handler
          const auto file = map();
          fault((*file)->section(40));
        },
        ::testing::KilledBySignal(SIGSEGV), "");
  }
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);
        const auto file = map();
        ::raise(SIGBUS);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

// Many threads begin to read at once, in many places.
TEST_F(SectionFileTest, AllThreadsReadAfterTheirBytesWereChecked) {
  saved();
  for (int round = 0; round < 20; ++round) {
    const auto file = map();
    ASSERT_TRUE(file.ok()) << file.status();
    cache::run_threads(8, [&](int) { expect_whole(**file); });
  }
}

// Files that are mapped one after the other often have the same address.
TEST_F(SectionFileTest, ManyFilesAreReadInTheSamePlace) {
  saved();
  for (int round = 0; round < 500; ++round) {
    const auto file = map();
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->section(40)[0], large_[0]);
  }
}

// Rot in one block costs nothing until it is read; then the file is made again and removed.
TEST_F(SectionFileTest, DamagedBytesAreMadeAgainWhenTheyAreRead) {
  std::string bytes = saved();
  bytes.back() ^= 1;
  write_file(path_, bytes);
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(std::ranges::equal((*file)->section(2), small_));
  EXPECT_TRUE(stdfs::exists(path_));
  testing::internal::CaptureStderr();
  cache::run_threads(8, [&](int) { expect_whole(**file); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "scidfs: " + path_.string() + " is damaged; its bytes have been made again\n");
  EXPECT_FALSE(stdfs::exists(path_));
  EXPECT_TRUE(MappedFile::may_show());
}

TEST_F(SectionFileTest, ChecksEachPartAhead) {
  const std::size_t size = saved().size();
  for (const std::size_t at : {size / 2, size / 3, size / 5}) {
    std::string bytes = saved();
    bytes[at] ^= 1;
    write_file(path_, bytes);
    const auto file = map();
    ASSERT_TRUE(file.ok()) << file.status();
    (*file)->check_ahead([] { return false; });
    EXPECT_FALSE(stdfs::exists(path_)) << at;  // said, and to be made again
  }
}

TEST_F(SectionFileTest, ChecksAllAheadUntilItIsOver) {
  std::string bytes = saved();
  bytes.back() ^= 1;
  write_file(path_, bytes);
  const auto file = map();
  ASSERT_TRUE(file.ok()) << file.status();
  (*file)->check_ahead([] { return true; });
  EXPECT_TRUE(stdfs::exists(path_));
  testing::internal::CaptureStderr();
  (*file)->check_ahead([] { return false; });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "scidfs: " + path_.string() + " is damaged; its bytes have been made again\n");
  EXPECT_FALSE(stdfs::exists(path_));
  expect_whole(**file);
}

}  // namespace
}  // namespace scidfs::fs
