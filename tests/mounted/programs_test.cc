// Editors, a file manager and backup programs on a mount: files open without complaints, saving
// fails with a readable message, and no file is read twice.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mounted/mounted.h"
#include "tests/mounted/terminal.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Skips the test if one of these programs is not installed; fails it in CI.
void require_programs(const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    if (run("command -v " + program).exit_code == 0) continue;
    if (std::getenv("CI") != nullptr) FAIL() << program << " is required";
    GTEST_SKIP() << program << " is not installed";
  }
}

// The folder of a database, with all.pgn in it.
class EditorTest : public SampleTest {
 protected:
  // How often the kernel has requested bytes of all.pgn, if nothing else was read.
  std::uint64_t reads() const { return counted(mount_->path(), "requests read"); }
  // The kernel requests at most 128 KiB at a time; readahead may make the first requests shorter.
  std::uint64_t whole() const {
    constexpr std::uint64_t kRequest = 128 << 10;
    constexpr std::uint64_t kAhead = 3;
    return filesystem::file_size(*mount_ / "all.pgn") / kRequest + 1 + kAhead;
  }
};

TEST_F(EditorTest, VimOpensAndCannotSave) {
  require_programs({"tmux", "vim"});
  if (is_over()) return;
  const Terminal vim(mount_->path(), "vim all.pgn");
  // No message about its swap file, which is elsewhere.
  ASSERT_TRUE(vim.shows("\"all.pgn\" [readonly]"));
  EXPECT_THAT(vim.screen(),
              HasSubstr(fmt::format("{}B", filesystem::file_size(*mount_ / "all.pgn"))));
  EXPECT_THAT(vim.screen(), Not(HasSubstr("E303")));
  vim.keys("x");
  EXPECT_TRUE(vim.shows("W10: Warning: Changing a readonly file"));
  vim.keys("Escape :w Enter");
  EXPECT_TRUE(vim.shows("E45: 'readonly' option is set"));
  vim.keys("Escape :w! Enter");
  EXPECT_TRUE(vim.shows("E212: Can't open file for writing"));
  vim.keys("Enter Escape :q! Enter");
  EXPECT_TRUE(vim.ends());
  EXPECT_LE(reads(), whole());
}

TEST_F(EditorTest, NanoOpensAndCannotSave) {
  require_programs({"tmux", "nano"});
  if (is_over()) return;
  const Terminal nano(mount_->path(), "nano all.pgn");
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(nano.shows(is_root ? "all.pgn is meant to be read-only" : "'all.pgn' is unwritable"));
  nano.keys("x C-o Enter");
  EXPECT_TRUE(nano.shows("Error writing all.pgn: Read-only file system"));
  nano.keys("C-x n");
  EXPECT_TRUE(nano.ends());
  EXPECT_LE(reads(), whole());
}

TEST_F(EditorTest, EmacsOpensAndCannotSave) {
  require_programs({"tmux", "emacs"});
  if (is_over()) return;
  const Terminal emacs(mount_->path(), "emacs -nw -Q all.pgn");
  ASSERT_TRUE(emacs.shows("Note: file is write protected"));
  emacs.keys("C-x C-q");
  EXPECT_TRUE(emacs.shows("Read-Only mode disabled"));
  emacs.keys("x C-x C-s");
  EXPECT_TRUE(emacs.shows("all.pgn is write-protected; try to save anyway?"));
  emacs.keys("yes Enter");
  EXPECT_TRUE(emacs.shows("Read-only file system, " + (*mount_ / "all.pgn").string()));
  emacs.keys("C-x C-c");
  EXPECT_TRUE(emacs.shows("Save file"));
  emacs.keys("n yes Enter");
  EXPECT_TRUE(emacs.ends());
  EXPECT_LE(reads(), whole());
}

TEST_F(EditorTest, MidnightCommanderViewsAndCannotSave) {
  require_programs({"tmux", "mc"});
  if (is_over()) return;
  {
    const Terminal viewer(mount_->path(), "mcview all.pgn");
    ASSERT_TRUE(viewer.shows("[Event \"London 'Immortal game'\"]"));
    viewer.keys("End");
    EXPECT_TRUE(viewer.shows("100%"));
  }
  {
    const Terminal editor(mount_->path(), "mcedit all.pgn");
    ASSERT_TRUE(editor.shows("[Event \"London 'Immortal game'\"]"));
    editor.keys("x F2");
    EXPECT_TRUE(editor.shows("Confirm save file"));
    editor.keys("Enter");
    // It then offers another name, to keep changes.
    EXPECT_TRUE(editor.shows("Enter file name:"));
    editor.keys("Enter");
    EXPECT_TRUE(editor.shows("Cannot save file"));
  }
  // Bytes that both have read were requested once.
  EXPECT_LE(reads(), whole());
  const Terminal panel(mount_->path(), "mc -u -b .");
  ASSERT_TRUE(panel.shows("/players"));
  panel.keys("F7");
  EXPECT_TRUE(panel.shows("Create a new Directory"));
  panel.keys("new Enter");
  EXPECT_TRUE(panel.shows("Read-only file system (30)"));
}

// A new mount at the same place, so that the kernel has cached nothing of it.
class BackupTest : public MountpointTest {
 protected:
  void SetUp() override {
    MountpointTest::SetUp();
    if (is_over()) return;
    filesystem::create_directory(folder_ / "chess");
    copy_sample(folder_ / "chess" / "mega");
    make_old(folder_ / "chess");
  }
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }

  void mount_again() const {
    if (is_mounted(mountpoint_)) run_ok("fusermount3 -u " + word(mountpoint_));
    run_ok(fmt::format("XDG_CACHE_HOME={} {} {} {} -o patience=0", word(folder_ / "cache"),
                       word(scidfs_binary()), word(folder_ / "chess"), word(mountpoint_)));
  }
  // Runs a command in a new mount, where it must not print errors. Returns how many files it has
  // read, or pieces of large ones.
  std::uint64_t reads_of(const std::string& command) const {
    mount_again();
    const Outcome outcome =
        run(fmt::format("cd {} && HOME={} {}", word(mountpoint_), word(folder_.path()), command));
    EXPECT_EQ(outcome.exit_code, 0) << command << '\n' << outcome.out << outcome.errors;
    EXPECT_THAT(outcome.errors, Not(HasSubstr("Read-only"))) << command;
    // After a lookup, status.txt shows the same numbers for a second.
    if (command.find("status.txt") != std::string::npos) ::usleep(1'100'000);
    return counted(mountpoint_, "requests read") + counted(mountpoint_, "files prefetched");
  }
  // Changes one letter of a comment, so that all sizes stay the same.
  void change_database() const {
    run_ok(fmt::format("LC_ALL=C sed -i 's/The Immortal Game/The immortal Game/' {}",
                       word(folder_ / "chess" / "mega.sg4")));
  }
  void expect_same(const filesystem::path& restored) const {
    EXPECT_THAT(read_all(restored / "mega.si4" / "all.pgn"), HasSubstr("The immortal Game"));
    for (const std::string name : {"games", "all.pgn"}) {
      EXPECT_EQ(run_ok(fmt::format("diff -r {} {}", word(mountpoint_ / "mega.si4" / name),
                                   word(restored / "mega.si4" / name))),
                "");
    }
  }

  const std::string files_ = "mega.si4/games mega.si4/all.pgn";
  static constexpr std::uint64_t kGames = 1602;
};

TEST_F(BackupTest, RsyncReadsNothingAgain) {
  require_programs({"rsync"});
  if (is_over()) return;
  const std::string to = word(folder_ / "copy");
  const std::string rsync =
      fmt::format("rsync -aHAX --itemize-changes --relative {} {}", files_, to);
  EXPECT_GE(reads_of(rsync + " > /dev/null"), kGames);
  EXPECT_EQ(reads_of(fmt::format("test -z \"$({})\"", rsync)), 0U);
  change_database();
  EXPECT_GE(reads_of(rsync + " > /dev/null"), kGames);
  expect_same(folder_ / "copy");
}

TEST_F(BackupTest, TarReadsNothingAgain) {
  // The device number of a mount changes with each mount.
  const std::string tar = fmt::format("tar --no-check-device -g {}/state -cf {}/",
                                      word(folder_.path()), word(folder_.path()));
  EXPECT_GE(reads_of(tar + "one.tar " + files_), kGames);
  EXPECT_EQ(reads_of(tar + "two.tar " + files_), 0U);
  change_database();
  EXPECT_GE(reads_of(tar + "three.tar " + files_), kGames);
  run_ok(
      fmt::format("cd {} && mkdir copy && for each in one two three; do "
                  "tar -g /dev/null -xf $each.tar -C copy; done",
                  word(folder_.path())));
  expect_same(folder_ / "copy");
}

TEST_F(BackupTest, ResticReadsNothingAgain) {
  require_programs({"restic"});
  if (is_over()) return;
  const std::string restic =
      fmt::format("RESTIC_PASSWORD=x restic -q -r {} ", word(folder_ / "restic"));
  run_ok(fmt::format("HOME={} {} init", word(folder_.path()), restic));
  EXPECT_GE(reads_of(restic + "backup " + files_), kGames);
  EXPECT_EQ(reads_of(restic + "backup " + files_), 0U);
  change_database();
  EXPECT_GE(reads_of(restic + "backup " + files_), kGames);
  const std::string copy = word(folder_ / "copy");
  run_ok(fmt::format("HOME={} {} restore latest --target {}", word(folder_.path()), restic, copy));
  expect_same(folder_ / "copy");
}

// borg does not cache files with the newest time, and all files of a database have the same time.
// One file with a later time is sufficient, such as status.txt: see scidfs-programs(7).
TEST_F(BackupTest, BorgReadsNothingAgainIfAnotherFileIsNewer) {
  require_programs({"borg"});
  if (is_over()) return;
  const std::string borg = "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes borg ";
  const std::string repository = word(folder_ / "borg");
  run_ok(fmt::format("HOME={} {} init -e none {}", word(folder_.path()), borg, repository));
  const auto create = [&](const std::string& archive, const std::string& files) {
    return reads_of(fmt::format("{} create {}::{} {}", borg, repository, archive, files));
  };
  EXPECT_GE(create("one", files_), kGames);
  EXPECT_GE(create("two", files_), kGames);
  EXPECT_GE(create("three", "status.txt " + files_), kGames);
  constexpr std::uint64_t kStatus = 1;
  EXPECT_LE(create("four", "status.txt " + files_), kStatus);
  change_database();
  EXPECT_GE(create("five", "status.txt " + files_), kGames);
  const std::string copy = word(folder_ / "copy");
  run_ok(fmt::format("mkdir {0} && cd {0} && HOME={1} {2} extract {3}::five", copy,
                     word(folder_.path()), borg, repository));
  expect_same(folder_ / "copy");
}

}  // namespace
}  // namespace scidfs::tests
