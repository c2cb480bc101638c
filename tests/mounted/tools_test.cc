// Common tools, on a mount as on any folder of text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/lines_check.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Runs each command twice, in the mount and in a copy that was made by reading, and compares the
// output.
class ToolsTest : public SampleTest {
 protected:
  void SetUp() override {
    SampleTest::SetUp();
    if (is_over()) return;
    for (const char* const name : {"all.pgn", "index.tsv"}) copy(name);
    for (const filesystem::path& path : files_below(*mount_ / "games")) {
      copy(filesystem::relative(path, mount_->path()));
    }
  }

  void copy(const filesystem::path& name) {
    filesystem::create_directories((plain_.path() / name).parent_path());
    std::ofstream(plain_.path() / name, std::ios::binary) << read_all(mount_->path() / name);
  }

  Outcome in_mount(const std::string& command) { return run(in(mount_->path(), command)); }
  static std::string in(const filesystem::path& folder, const std::string& command) {
    return fmt::format("cd {} && {{ {}; }}", shell_word(folder.string()), command);
  }

  void same(const std::string& command) {
    const Outcome mounted = in_mount(command);
    const Outcome plain = run(in(plain_.path(), command));
    EXPECT_TRUE(mounted.out == plain.out) << command << '\n'
                                          << mounted.out.substr(0, 300) << "\n---\n"
                                          << plain.out.substr(0, 300);
    EXPECT_EQ(mounted.exit_code, plain.exit_code) << command << '\n' << mounted.errors;
    EXPECT_EQ(mounted.errors, plain.errors) << command;
  }

  // Tests of tools that are not installed are skipped.
  static bool installed(const char* tool) {
    return run(fmt::format("command -v {}", tool)).exit_code == 0;
  }

  TemporaryFolder plain_;
};

TEST_F(ToolsTest, GrepWorks) {
  same("grep -c '^\\[Event ' all.pgn");
  same("grep -n Carlsen all.pgn");
  same("grep -rc 'Nf3' games | sort");
  same("grep -rlZ Kasparov games | sort -z | xargs -0 cat");
  same("grep -r zzzzzz games");
  same("grep -c '\\r' all.pgn");
}

TEST_F(ToolsTest, RipgrepWorks) {
  if (!installed("rg")) GTEST_SKIP() << "rg is not installed";
  same("rg -c '^\\[Event ' all.pgn");
  same("rg --mmap -n Carlsen all.pgn");
  same("rg --no-mmap -n Carlsen all.pgn");
  same("rg --sort path -c Nf3 games");
}

TEST_F(ToolsTest, HeadTailAndWcWork) {
  same("head -c 1000 all.pgn");
  same("head -n 30 all.pgn");
  same("tail -c 1000 all.pgn");
  same("tail -n 30 all.pgn");
  same("tail -c +500000 all.pgn | md5sum");
  same("wc -c all.pgn");
  same("wc all.pgn");
  same("wc -c games/*/*.pgn | tail -1");
  same("dd if=all.pgn bs=777 skip=100 count=200 status=none | md5sum");
  same("tac all.pgn | md5sum");
  same("split -b 100000 all.pgn --filter md5sum");
}

TEST_F(ToolsTest, SizesAgreeWithStat) {
  same("find games all.pgn index.tsv -type f -printf '%s %p\\n' | sort");
  same("find games -type f -size +2k | sort");
  same("find games -type f -empty");
  same("du -b all.pgn");
  same("stat -c '%s %F' all.pgn index.tsv");
  const std::string files = "find . -type f ! -name status.txt";
  const Outcome by_stat = in_mount(files + " -printf '%s %p\\n' | sort");
  const Outcome by_count = in_mount(
      files + " -print0 | xargs -0 wc -c | sed 's/^ *//' | grep -v '^[0-9]* total$' | sort");
  EXPECT_TRUE(by_stat.out == by_count.out);
}

TEST_F(ToolsTest, LessWorks) {
  if (!installed("less")) GTEST_SKIP() << "less is not installed";
  same("less -FX all.pgn | cat | md5sum");
  same("less -X +G all.pgn | tail -3");
}

TEST_F(ToolsTest, VimReadsAndCannotWrite) {
  if (!installed("vim")) GTEST_SKIP() << "vim is not installed";
  const std::string vim = "vim -u NONE -i NONE -n -es -c ";
  same(vim + "'redir! >> /dev/stdout' -c 'echo line(\"$\") wordcount().bytes' -c 'qa!' all.pgn");
  // Writing fails with a message.
  EXPECT_NE(in_mount(vim + "'w!' -c 'qa!' all.pgn").exit_code, 0);
}

TEST_F(ToolsTest, CpDiffAndTarWork) {
  const TemporaryFolder target;
  const std::string to = shell_word((target / "copy").string());
  EXPECT_EQ(in_mount(fmt::format("cp -r . {0} && diff -r -x status.txt . {0}", to)).exit_code, 0);
  const std::string tar = shell_word((target / "copy.tar").string());
  const Outcome tarred = in_mount(fmt::format("tar -cf {0} games && tar -df {0}", tar));
  EXPECT_EQ(tarred.exit_code, 0) << tarred.errors << tarred.out;
  EXPECT_EQ(tarred.errors, "");
  if (installed("rsync")) {
    const std::string rsync = shell_word((target / "rsync").string());
    EXPECT_EQ(
        in_mount(fmt::format(
                     "rsync -a games all.pgn {0} && rsync -anc --out-format=%n games all.pgn {0}",
                     rsync))
            .exit_code,
        0);
  }
}

TEST_F(ToolsTest, PgnExtractWorks) {
  if (!installed("pgn-extract")) GTEST_SKIP() << "pgn-extract is not installed";
  const Outcome checked = in_mount("pgn-extract -r all.pgn");
  EXPECT_EQ(checked.exit_code, 0) << checked.errors;
  EXPECT_THAT(checked.errors, HasSubstr("games"));
}

// It plays each variation as a game of its own.
TEST_F(ToolsTest, PgnExtractReadsLines) {
  if (!installed("pgn-extract")) GTEST_SKIP() << "pgn-extract is not installed";
  for (const std::string path :
       {"lines.pgn", "lines/side=white.pgn", "lines/best=5,side=black.pgn", "tree/e4/c5/lines.pgn",
        "players/Carlsen,_Magnus/lines/games=2.pgn",
        "positions/r1bqkbnr-pppp1ppp-2n5-1B2p3-4P3-5N2-PPPP1PPP-RNBQK2R_b/lines.pgn"}) {
    std::vector<std::string> faults;
    const std::string text = read_all(mount_->path() / path);
    EXPECT_GT(parse_lines(text, faults).moves, 10U) << path;
    EXPECT_THAT(faults, IsEmpty()) << path;
    const Outcome lines = in_mount("pgn-extract -s --splitvariants " + path);
    EXPECT_EQ(lines.exit_code, 0) << path;
    EXPECT_THAT(lines.errors, Not(HasSubstr("Line number"))) << path;
    EXPECT_EQ(
        std::ranges::count_if(split(lines.out, '\n'),
                              [](const std::string& line) { return line.starts_with("[Event "); }),
        1 + std::ranges::count(text, '('))
        << path;
  }
}

TEST_F(ToolsTest, WritingFailsCleanly) {
  for (const char* const command :
       {"echo x > new.txt", "echo x >> games/1.pgn", ": > games/1.pgn", "touch games/1.pgn",
        "rm games/1.pgn", "mkdir new", "rmdir games", "mv games/1.pgn x.pgn", "ln -s a b",
        "ln games/1.pgn x.pgn", "chmod 777 games/1.pgn", "chown 12345 games/1.pgn",
        "truncate -s 0 games/1.pgn", "mkfifo fifo"}) {
    const Outcome outcome = in_mount(command);
    EXPECT_NE(outcome.exit_code, 0) << command;
    EXPECT_THAT(outcome.errors, HasSubstr("Read-only file system")) << command;
  }
}

TEST_F(ToolsTest, StatfsSaysReadOnly) {
  EXPECT_THAT(in_mount("df -P . | tail -1").out, HasSubstr("100%"));
  EXPECT_EQ(in_mount("stat -f -c '%a %f %l' .").out, "0 0 255\n");
  EXPECT_EQ(in_mount("find . -writable -maxdepth 1 | wc -l").out, "0\n");
}

}  // namespace
}  // namespace scidfs::tests
