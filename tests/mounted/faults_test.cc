// Faults of disks, servers and other programs that affect the source while it is mounted.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <memory>
#include <optional>

#include "fs/database/game_file.h"
#include "tests/mounted/mounted.h"
#include "tests/support/faulty_folder.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The bytes of a file, or the error.
struct Read {
  std::string text;
  int error = 0;
};

Read read_descriptor(int file) {
  Read result;
  std::vector<char> buffer(std::size_t{1} << 17);
  for (;;) {
    const ssize_t got =
        ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(result.text.size()));
    if (got <= 0) {
      result.error = got < 0 ? errno : 0;
      return result;
    }
    result.text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Read try_read(const filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {.text = "", .error = errno};
  Read result = read_descriptor(file);
  ::close(file);
  return result;
}

class Opened {
 public:
  explicit Opened(const filesystem::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    EXPECT_GE(file_, 0) << path;
  }
  ~Opened() { ::close(file_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  Read read() const { return read_descriptor(file_); }

 private:
  int file_;
};

bool is_root() { return ::geteuid() == 0; }

// A copy of the sample that tests damage, and the texts of its games before that.
class FaultsTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    filesystem::create_directory(source_);
    copy_sample(source_ / "sample");
  }

  std::uint32_t games() const { return sample_.games(); }
  // Counted from 1.
  const std::string& text(std::uint32_t number) const { return games_[number - 1].text; }
  static std::string name(std::uint32_t number) { return fmt::format("games/{}.pgn", number); }
  // True if the record of a game has any of these bytes.
  bool touches(std::uint32_t number, std::uint64_t first, std::uint64_t last) const {
    const auto entry = sample_.entry(number - 1);
    return entry.offset < last && entry.offset + entry.length > first;
  }
  bool is_deleted(std::uint32_t number) const {
    return sample_.entry(number - 1).has(codec::scid::kFlagDeleted);
  }
  // all.pgn
  std::string all_text() const {
    std::string all;
    for (std::uint32_t number = 1; number <= games(); ++number) {
      if (!is_deleted(number)) all += text(number);
    }
    return all;
  }

  // Reads the games for which `may_fail` holds and their neighbors: the former fail with EIO or are
  // correct, the others are correct. Returns how many failed.
  template <class MayFail>
  unsigned read_games(const filesystem::path& mount, const MayFail& may_fail) const {
    unsigned failed = 0;
    for (std::uint32_t number = 1; number <= games(); number += may_fail(number) ? 1 : 3) {
      if (is_deleted(number)) continue;
      const Read read = try_read(mount / name(number));
      if (read.error != 0) {
        EXPECT_EQ(read.error, EIO) << number;
        EXPECT_TRUE(may_fail(number)) << number;
        ++failed;
      } else {
        EXPECT_TRUE(read.text == text(number)) << number;
      }
    }
    return failed;
  }
  // Expects no lasting effects: a new mount of `folder` shows everything.
  void expect_clean_start(const filesystem::path& folder) const {
    const Mount mount({.source = folder / "sample.si4", .cache_home = folder_ / "cache"});
    ASSERT_TRUE(mount.ok());
    EXPECT_TRUE(read_all(mount / "all.pgn") == all_text());
    EXPECT_EQ(mount.messages(), "");
  }

  TemporaryFolder folder_;
  const filesystem::path source_ = folder_ / "source";
  const ScidDatabase sample_{test_data("sample/sample")};
  const std::vector<RenderedGame> games_ = sample_.render_games();
};

// Somewhere in the middle of the game file.
constexpr std::uint64_t kBadFirst = 50'000;
constexpr std::uint64_t kBadLast = 54'096;

TEST_F(FaultsTest, ShortReadsAreContinued) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.limit_reads(97);
  expect_clean_start(faulty.path());
}

TEST_F(FaultsTest, BadSectorLosesOnlyGamesOnIt) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.fail_reads(".sg4", kBadFirst, kBadLast, EIO);
  const auto on_it = [&](std::uint32_t number) { return touches(number, kBadFirst, kBadLast); };
  {
    Mount mount({.source = faulty / "sample.si4", .cache_home = folder_ / "cache"});
    ASSERT_TRUE(mount.ok());
    // A window of many games is tried once, a record once.
    EXPECT_LT(faulty.faults(), 100U);
    EXPECT_GT(read_games(mount.path(), on_it), 0U);
    EXPECT_THAT(mount.messages(), AllOf(HasSubstr("sample.si4: game "), HasSubstr("bytes at 5"),
                                        HasSubstr("sample.sg4: Input/output error")));
    // The size of a file with such a game cannot be found.
    EXPECT_EQ(try_read(mount / "all.pgn").error, EIO);

    // When the disk works again, everything is readable.
    faulty.heal();
    EXPECT_EQ(read_games(mount.path(), [](std::uint32_t) { return false; }), 0U);
  }
  expect_clean_start(faulty.path());
}

TEST_F(FaultsTest, CheckListsGamesOnBadSector) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.fail_reads(".sg4", kBadFirst, kBadLast, EIO);
  const Outcome outcome = run(fmt::format("{} --check --verbose {}", shell_word(scidfs_binary()),
                                          shell_word(faulty.path().string())));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.errors, "");
  unsigned bad = 0;
  for (std::uint32_t number = 1; number <= games(); ++number) {
    const bool is_listed =
        outcome.out.find(fmt::format("    game {} (", number)) != std::string::npos;
    EXPECT_EQ(is_listed, touches(number, kBadFirst, kBadLast)) << number;
    bad += is_listed ? 1 : 0;
  }
  EXPECT_GT(bad, 5U);
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("sample.sg4: Input/output error; its tags can be read\n"),
            HasSubstr(fmt::format("damaged: {} games whole, 0 up to their damage (0 plies), "
                                  "{} by tags alone\n",
                                  games() - bad, bad))));
}

TEST_F(FaultsTest, SectorThatFailsLaterLosesOnlyGamesOnIt) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  const auto on_it = [&](std::uint32_t number) { return touches(number, kBadFirst, kBadLast); };
  {
    Mount mount({.source = faulty / "sample.si4", .options = "cache=0"});
    ASSERT_TRUE(mount.ok());
    faulty.fail_reads(".sg4", kBadFirst, kBadLast, EIO);
    EXPECT_GT(read_games(mount.path(), on_it), 0U);
    const Read all = try_read(mount / "all.pgn");
    EXPECT_EQ(all.error, EIO);
    EXPECT_TRUE(all_text().starts_with(all.text));
    faulty.heal();
    EXPECT_TRUE(read_all(mount / "all.pgn") == all_text());
    EXPECT_THAT(mount.messages(), HasSubstr("Input/output error"));
  }
  expect_clean_start(faulty.path());
}

TEST_F(FaultsTest, UnreadableIndexRefusesOnlyItsDatabase) {
  // Too short to have the bad sector.
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    const std::string other = std::string("fen") + extension;
    filesystem::copy_file(test_data("scid4/" + other), source_ / other);
  }
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.fail_reads(".si4", 20'000, 20'001, EIO);
  {
    const Mount mount({.source = faulty.path(), .options = "patience=0"});
    ASSERT_TRUE(mount.ok());
    EXPECT_THAT(names_in(mount.path()), AllOf(Contains("fen.si4"), Not(Contains("sample.si4"))));
    EXPECT_THAT(read_all(mount / "fen.si4/all.pgn"), HasSubstr("[FEN "));
    for (const std::string& text : {mount.messages(), read_all(mount / "info.txt")}) {
      EXPECT_THAT(text,
                  AllOf(HasSubstr("Cannot open"), HasSubstr("sample.si4: Input/output error")));
    }
  }
  faulty.heal();
  expect_clean_start(faulty.path());
}

TEST_F(FaultsTest, IndexThatFailsLaterLosesOnlyItsTable) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  const Mount mount({.source = faulty / "sample.si4"});
  ASSERT_TRUE(mount.ok());
  faulty.fail_reads(".si4", 20'000, 20'001, EIO);
  EXPECT_EQ(try_read(mount / "index.tsv").error, EIO);
  EXPECT_EQ(read_games(mount.path(), [](std::uint32_t) { return false; }), 0U);
  EXPECT_THAT(mount.messages(), HasSubstr("sample.si4: Input/output error"));
  // A server may take a permission back.
  faulty.fail_reads(".si4", 20'000, 20'001, EACCES);
  EXPECT_EQ(try_read(mount / "index.tsv").error, EACCES);
  EXPECT_THAT(mount.messages(), HasSubstr("sample.si4: Permission denied"));
  faulty.heal();
  EXPECT_EQ(try_read(mount / "index.tsv").error, 0);
}

TEST_F(FaultsTest, UnreadableNameFileLosesOnlyNames) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.fail_reads(".sn4", 0, 1 << 20, EIO);
  {
    const Mount mount({.source = faulty / "sample.si4", .options = "patience=0"});
    ASSERT_TRUE(mount.ok());
    EXPECT_EQ(tag_of(read_all(mount / name(1)), "White"), "?");
    EXPECT_THAT(mount.messages(), HasSubstr("sample.sn4: Input/output error"));
    EXPECT_THAT(read_all(mount / "info.txt"), HasSubstr("sample.sn4: Input/output error"));
  }
  faulty.heal();
  expect_clean_start(faulty.path());
}

TEST_F(FaultsTest, FilesWithoutPermissionAreNamed) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  faulty.fail_opens(EACCES);
  const Outcome refused = run(fmt::format("{} {} {}", shell_word(scidfs_binary()),
                                          shell_word((faulty / "sample.si4").string()),
                                          shell_word(folder_.path().string())));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("sample.si4: Permission denied"));
  faulty.heal();
  const Mount mount({.source = faulty / "sample.si4"});
  ASSERT_TRUE(mount.ok());
  // Open files stay open.
  faulty.fail_opens(EACCES);
  EXPECT_EQ(read_games(mount.path(), [](std::uint32_t) { return false; }), 0U);
}

TEST_F(FaultsTest, PermissionsOfTheUserApply) {
  if (!is_root() || run("command -v setpriv").exit_code != 0) {
    GTEST_SKIP() << "requires root, who can be somebody else with setpriv";
  }
  for (const auto& path : {folder_.path(), source_}) {
    filesystem::permissions(path, filesystem::perms(0755));
  }
  filesystem::permissions(source_ / "sample.sg4", filesystem::perms(0600));
  filesystem::copy_file(scidfs_binary(), folder_ / "scidfs");
  const auto check = [&] {
    return run(fmt::format("setpriv --reuid=65534 --regid=65534 --clear-groups {} --check {}",
                           (folder_ / "scidfs").string(), source_.string()));
  };
  Outcome outcome = check();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("sample.sg4: Permission denied"));
  filesystem::create_directory(source_ / "closed");
  filesystem::permissions(source_ / "closed", filesystem::perms(0700));
  outcome = check();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("closed: Permission denied"));
  filesystem::remove(source_ / "closed");
  filesystem::permissions(source_ / "sample.si4", filesystem::perms(0600));
  outcome = check();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("sample.si4: Permission denied"));
  filesystem::permissions(source_, filesystem::perms(0700));
  outcome = check();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.errors, HasSubstr("Permission denied"));
}

TEST_F(FaultsTest, DeadServerLosesTextsButNotTheMount) {
  FaultyFolder faulty(source_);
  ASSERT_TRUE(faulty.ok());
  {
    Mount mount({.source = faulty / "sample.si4", .options = "cache=0"});
    ASSERT_TRUE(mount.ok());
    faulty.kill();
    EXPECT_GT(read_games(mount.path(), [](std::uint32_t) { return true; }), 0U);
    EXPECT_THAT(mount.messages(), HasSubstr("sample.sg4: Transport endpoint is not connected"));
    EXPECT_THAT(read_all(mount / "status.txt"), HasSubstr("requests read: "));
    EXPECT_EQ(mount.unmount(), 0);
  }
  expect_clean_start(source_);
}

// Readers of an open file get the version that they opened, or an error that it is gone.
TEST_F(FaultsTest, TruncatedGameFileIsStaleOrUnchangedForReaders) {
  {
    const Mount mount({.source = source_ / "sample.si4", .options = "cache=0"});
    ASSERT_TRUE(mount.ok());
    std::vector<std::pair<std::uint32_t, std::unique_ptr<Opened>>> opened;
    for (std::uint32_t number = 1; number <= games(); number += 10) {
      if (is_deleted(number)) continue;
      opened.emplace_back(number, std::make_unique<Opened>(mount / name(number)));
    }
    const Opened all(mount / "all.pgn");
    filesystem::resize_file(source_ / "sample.sg4", kBadFirst);
    unsigned failed = 0;
    for (const auto& [number, file] : opened) {
      const Read read = file->read();
      if (read.error != 0) {
        EXPECT_EQ(read.error, ESTALE);
        // For a truncated chunk, the checksum of its beginning is unknown.
        constexpr std::uint64_t kChunk = fs::GameFile::kChunk;
        EXPECT_TRUE(touches(number, kBadFirst / kChunk * kChunk, UINT64_MAX)) << number;
        ++failed;
      } else {
        EXPECT_TRUE(read.text == text(number)) << number;
      }
    }
    EXPECT_GT(failed, 0U);
    EXPECT_TRUE(all_text().starts_with(all.read().text));
  }
  {
    // In a new mount every file is complete, and the games after the truncation have a remark.
    const Mount mount({.source = source_ / "sample.si4", .options = "patience=0"});
    ASSERT_TRUE(mount.ok());
    EXPECT_EQ(read_all(mount / "all.pgn").size(), filesystem::file_size(mount / "all.pgn"));
    EXPECT_TRUE(read_all(mount / name(1)) == text(1));
    EXPECT_THAT(read_all(mount / name(games())), HasSubstr("does not lie in the game file"));
  }
  copy_sample(source_ / "sample");
  expect_clean_start(source_);
}

TEST_F(FaultsTest, TruncatedIndexIsStaleForReaders) {
  const Mount mount({.source = source_ / "sample.si4", .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  const Opened table(mount / "index.tsv");
  filesystem::resize_file(source_ / "sample.si4",
                          filesystem::file_size(source_ / "sample.si4") / 2);
  EXPECT_EQ(table.read().error, ESTALE);
}

TEST_F(FaultsTest, ReplacedFilesStayReadableForReaders) {
  const Mount mount({.source = source_ / "sample.si4", .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  const Opened all(mount / "all.pgn");
  const Opened last(mount / name(games()));
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    const filesystem::path fresh = source_ / (std::string("fresh") + extension);
    filesystem::copy_file(test_data(std::string("scid4/fen") + extension), fresh);
    filesystem::rename(fresh, source_ / (std::string("sample") + extension));
  }
  EXPECT_TRUE(all.read().text == all_text());
  EXPECT_TRUE(last.read().text == text(games()));
  const Mount again({.source = source_ / "sample.si4"});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(read_all(again / "all.pgn") == ScidDatabase(test_data("scid4/fen")).render());
}

TEST_F(FaultsTest, SourceUnmountedDuringReadsStaysReadable) {
  const filesystem::path disk = folder_ / "disk";
  filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4m") != 0) {
    GTEST_SKIP() << "requires to mount a tmpfs: " << std::strerror(errno);
  }
  copy_sample(disk / "sample");
  {
    const Mount mount({.source = disk, .options = "cache=0"});
    ASSERT_TRUE(mount.ok());
    const Opened all(mount / "sample.si4/all.pgn");
    ASSERT_EQ(::umount2(disk.c_str(), MNT_DETACH), 0);
    EXPECT_TRUE(all.read().text == all_text());
    EXPECT_EQ(try_read(mount / "status.txt").error, 0);
  }
  const Outcome empty =
      run(fmt::format("{} --check {}", shell_word(scidfs_binary()), shell_word(disk.string())));
  EXPECT_EQ(empty.exit_code, 4);
  copy_sample(disk / "sample");
  expect_clean_start(disk);
}

}  // namespace
}  // namespace scidfs::tests
