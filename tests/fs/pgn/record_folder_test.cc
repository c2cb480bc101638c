// The cache folder as the place of records: who may use it, whose files stay, and how long others
// can make a reader wait.
#include "fs/pgn/record_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fs/file/cache_folder.h"
#include "fs/file/folder.h"
#include "fs/import/import.h"
#include "fs/pgn/pgn_records.h"
#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/files.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kLock[] = "scidfs.lock";
constexpr char kRecords[] = "0123456789abcdef-fedcba9876543210";

class RecordFolderTest : public PgnLibraryTest {
 protected:
  RecordFolderTest() { stdfs::create_directory(cache_); }

  PgnFile file(const std::string& name) const {
    const stdfs::path path = source_ / name;
    return {.path = path, .stamp = stamp_of(path), .open = [path](const auto&) {
              return SourceFile::open(path);
            }};
  }
  absl::Status make(const std::string& name, const std::shared_ptr<RecordFolder>& folder,
                    const WorkBudget& budget = tests::unlimited_budget()) const {
    return PgnRecordStore(options_.database, folder)
        .make(file(name), budget, [](std::uint64_t, std::uint64_t) {})
        .status();
  }
};

TEST(RecordName, HasOneForm) {
  const auto parsed = RecordName::of_text(fmt::format("{}.remarks", kRecords));
  EXPECT_EQ(parsed, (RecordName{.path = 0x0123456789abcdef, .state = 0xfedcba9876543210}));
  EXPECT_EQ(parsed->stem(), kRecords);
  for (const char* const other :
       {"mine.remarks", ".remarks", "0123456789abcdef.remarks", "0123456789abcdef-.remarks",
        "0123456789ABCDEF-fedcba9876543210.remarks", "123456789abcdef-fedcba9876543210.remarks",
        "0123456789abcdef-0fedcba9876543210.remarks", "0123456789abcdef-fedcba9876543210.si5",
        "0123456789abcdef-fedcba9876543210.remarks~"}) {
    EXPECT_EQ(RecordName::of_text(other), std::nullopt) << other;
  }
  EXPECT_TRUE(RecordFiles::has_form(fmt::format("{}.sg5", kRecords)));
  EXPECT_FALSE(RecordFiles::has_form("mine.sg5"));
}

// There is room for the records of hardly two of the files.
TEST_F(RecordFolderTest, FilesOfTheUserStayWhenRoomIsMade) {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += pgn_game(fmt::format("Player {}", i));
  put("mine.pgn", many);
  for (const std::string stem : {"mine", kRecords}) {
    const auto report = import_games(
        {.sources = {source_ / "mine.pgn"}, .database = cache_ / (stem + ".si5")},
        [](std::uint64_t, std::uint64_t) {}, [](std::string_view) {});
    ASSERT_TRUE(report.ok()) << report.status();
    tests::write_file(cache_ / (stem + ".remarks"), "what I noted");
  }
  tests::write_file(cache_ / "scidfs.remarks", "scidfs4 is a program");
  const std::vector<stdfs::path> mine = kept();
  for (const char* const name : {"a.pgn", "b.pgn", "c.pgn"}) put(name, many);
  options_.pgn_bytes = 400 << 10;
  open();
  for (const char* const name : {"a.pgn", "b.pgn", "c.pgn"}) {
    EXPECT_THAT(text(std::string(name) + "/info.txt"), HasSubstr("games: 3000\n"));
  }
  EXPECT_THAT(kept(), SizeIs(testing::Lt(mine.size() + 12))) << "no room was made";
  for (const stdfs::path& path : mine) EXPECT_TRUE(stdfs::exists(path)) << path;
  EXPECT_EQ(tests::read_file(cache_ / "mine.remarks"), "what I noted");
}

TEST_F(RecordFolderTest, AFileOfTheUserUnderTheNameOfRecordsStays) {
  put("a.pgn", pgn_game("A"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  const std::vector<stdfs::path> names = kept();
  ASSERT_THAT(names, SizeIs(4));
  for (const stdfs::path& name : names) {
    SCOPED_TRACE(name);
    for (const stdfs::path& path : kept()) stdfs::remove(path);
    tests::write_file(name, "what I noted");
    open();
    EXPECT_EQ(text("a.pgn/all.pgn"), games);
    EXPECT_EQ(tests::read_file(name), "what I noted");
    EXPECT_THAT(kept(), SizeIs(5));
    open();
    EXPECT_THAT(tests::shown_databases(*library_), SizeIs(1)) << "they are not found again";
  }
}

// As when a reader is killed between the first of its files and the last.
TEST_F(RecordFolderTest, HalfOfTheRecordsIsMadeAgain) {
  put("a.pgn", pgn_game("A"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  close();
  tests::write_file(kept(".remarks"), "scidfs4\n");
  stdfs::remove(kept(".si5"));
  open();
  EXPECT_THAT(tests::shown_databases(*library_), IsEmpty());
  EXPECT_EQ(text("a.pgn/all.pgn"), games);
  EXPECT_THAT(kept(), SizeIs(4));
}

TEST_F(RecordFolderTest, AnotherWhoReadsTheFolderCannotLockIt) {
  put("a.pgn", pgn_game("A"));
  const auto other = FolderLock::take(cache_, std::chrono::milliseconds(0));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(make("a.pgn", std::make_shared<RecordFolder>(cache_, 0, std::chrono::hours(1))),
            absl::OkStatus());
  struct stat attributes {};
  ASSERT_EQ(::stat((cache_ / kLock).c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 0777, 0600);
}

TEST_F(RecordFolderTest, AWaitForOtherProcessesEnds) {
  put("a.pgn", pgn_game("A"));
  const auto other = FolderLock::take_file(cache_ / kLock, std::chrono::milliseconds(0));
  ASSERT_TRUE(other.ok()) << other.status();
  const WorkBudget cancelled = WorkBudget::unlimited([] { return true; });
  const auto patient = std::make_shared<RecordFolder>(cache_, 0, std::chrono::hours(1));
  EXPECT_TRUE(absl::IsCancelled(make("a.pgn", patient, cancelled)));
  EXPECT_THAT(kept(), IsEmpty());
  testing::internal::CaptureStderr();
  EXPECT_EQ(make("a.pgn", std::make_shared<RecordFolder>(cache_, 0, std::chrono::seconds(0))),
            absl::OkStatus());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("another program has it locked; going on without a lock"));
  EXPECT_THAT(kept(), SizeIs(4));
}

// What stands under the name of the lock cannot be locked.
TEST_F(RecordFolderTest, NoLockFileIsNeeded) {
  put("a.pgn", pgn_game("A"));
  stdfs::create_symlink("elsewhere", cache_ / kLock);
  EXPECT_EQ(make("a.pgn", std::make_shared<RecordFolder>(cache_)), absl::OkStatus());
  EXPECT_FALSE(stdfs::exists(cache_ / "elsewhere"));
}

TEST_F(RecordFolderTest, AFolderOfOthersIsNotUsedUntilItIsOurs) {
  put("a.pgn", pgn_game("A"));
  const auto refuses = [&](const std::string& why) {
    EXPECT_THAT(names("a.pgn"), ElementsAre("source.pgn", "info.txt"));
    EXPECT_THAT(text("a.pgn/info.txt"),
                HasSubstr(fmt::format("refused: Cannot use {}: {} {})\n", cache_.string(), why,
                                      cache_.string())));
    EXPECT_THAT(kept(), IsEmpty());
  };
  const auto go = [&](mode_t mode) { ASSERT_EQ(::chmod(cache_.c_str(), mode), 0); };
  go(0777);
  open();
  refuses("others than its owner may write to it (this helps: chmod go-w");
  if (::geteuid() == 0) {
    constexpr uid_t kOther = 65534;
    go(0700);
    ASSERT_EQ(::chown(cache_.c_str(), kOther, kOther), 0);
    open();
    refuses("it belongs to another user (this helps: chown 0");
    ASSERT_EQ(::chown(cache_.c_str(), 0, 0), 0);
    go(0770);
  }
  go(0755);
  EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("[White \"A\"]"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("games: 1\n"));
}

// Though the folder names the first hundred databases alone.
TEST_F(RecordFolderTest, EachRefusedFileIsNamedWithItsReason) {
  for (int i = 0; i < 150; ++i) put(fmt::format("{:03}.pgn", i), pgn_game("A"));
  put("z.pgn", pgn_game("Z"));
  options_.database.cache_folder.clear();
  open();
  EXPECT_THAT(text("z.pgn/info.txt"), HasSubstr("refused: there is no cache folder"));
  rescan();
  EXPECT_THAT(text("info.txt"),
              HasSubstr("\ndatabase: 50 more databases\n"
                        "database: z.pgn: refused: there is no cache folder for its games\n"));
}

// The names in it are read once: other files may be many.
TEST_F(RecordFolderTest, TheFolderIsListedOnce) {
  put("a.pgn", pgn_game("A"));
  put("b.pgn", pgn_game("B"));
  const auto folder = std::make_shared<RecordFolder>(cache_);
  ASSERT_EQ(make("a.pgn", folder), absl::OkStatus());
  ASSERT_EQ(make("b.pgn", folder), absl::OkStatus());
  // What another process has added is not seen, what this one has added is.
  const std::vector<stdfs::path> before = kept();
  tests::write_file(cache_ / fmt::format("{}.remarks", kRecords), "scidfs4\n");
  EXPECT_FALSE(folder->has(0x0123456789abcdef));
  put("a.pgn", pgn_game("A") + pgn_game("C"));
  ASSERT_EQ(make("a.pgn", folder), absl::OkStatus());
  EXPECT_THAT(kept(), SizeIs(before.size() + 1));
}

// A mount removes them once, for all.
TEST_F(RecordFolderTest, UnfinishedFilesAreNotLookedForWithEachFile) {
  put("a.pgn", pgn_game("A"));
  ASSERT_EQ(make("a.pgn", std::make_shared<RecordFolder>(cache_)), absl::OkStatus());
  const stdfs::path left =
      cache_ / fmt::format(".{}.scidfs-01234567", kept(".si5").filename().string());
  for (const stdfs::path& path : kept()) stdfs::remove(path);
  tests::write_file(left, "half");
  ASSERT_EQ(make("a.pgn", std::make_shared<RecordFolder>(cache_)), absl::OkStatus());
  EXPECT_TRUE(stdfs::exists(left));
  remove_abandoned_records(cache_);
  EXPECT_FALSE(stdfs::exists(left));
}

}  // namespace
}  // namespace scidfs::fs
