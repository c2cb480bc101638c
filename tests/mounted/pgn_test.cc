// PGN files in a mounted source.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/mounted/live.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string game(std::string_view white) {
  return fmt::format(
      "[Event \"Club\"]\n[Site \"?\"]\n[Date \"2020.01.02\"]\n[Round \"1\"]\n[White \"{}\"]\n"
      "[Black \"Other\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
      white);
}

class PgnMountTest : public LiveTest {
 protected:
  void TearDown() override {
    mount_.reset();
    ::umount2(cache_.c_str(), MNT_DETACH);
  }
  // The source with this file and a database.
  void put(const std::string& name, std::string_view text) {
    overwrite(source_ / name, text);
    if (!filesystem::exists(source_ / "base.si4")) save("base", example(10, 1).files(), overwrite);
    make_old(source_);
  }
  void mount(const std::string& options = "") {
    LiveTest::mount({.source = source_, .options = options, .cache_home = cache_});
  }
  std::vector<std::string> names_kept() const {
    return filesystem::exists(cache_ / "scidfs") ? names_in(cache_ / "scidfs")
                                                 : std::vector<std::string>();
  }
  std::string pgn_of(const std::string& command) const {
    return run_ok("pgn-extract -s -7 " + command);
  }

  const filesystem::path cache_ = [this] {
    filesystem::create_directory(folder_ / "cache");
    return folder_ / "cache";
  }();
};

TEST_F(PgnMountTest, ProgramsReadTheGames) {
  put("a.pgn", game("A") + game("B"));
  mount();
  EXPECT_THAT(names_kept(), IsEmpty());
  EXPECT_THAT(read_all(*mount_ / "info.txt"), HasSubstr("database: a.pgn: 0.0 MB, not read yet\n"));
  EXPECT_EQ(run_ok("cut -f2 " + word(*mount_ / "a.pgn/players.tsv")), "games\n2\n1\n1\n");
  EXPECT_TRUE(
      shows("info.txt", "folder: .\ndatabase: a.pgn: 2 games\ndatabase: base.si4: 10 games\n"));
  EXPECT_EQ(pgn_of(word(*mount_ / "a.pgn/all.pgn")), pgn_of(word(source_ / "a.pgn")));
  EXPECT_EQ(run_ok("cmp " + word(*mount_ / "a.pgn/source.pgn") + " " + word(source_ / "a.pgn")),
            "");
  EXPECT_TRUE(eventually([&] { return try_read("together/players.tsv").has_value(); }));
  EXPECT_THAT(run_ok("ls " + word(*mount_ / "together/players")), HasSubstr("ot\n"));
}

TEST_F(PgnMountTest, GrowsWithItsFile) {
  std::string text = game("P0");
  put("a.pgn", text);
  mount();
  for (int count = 1; count < 6; ++count) {
    SCOPED_TRACE(count);
    const std::string all = read_all(*mount_ / "a.pgn/all.pgn");
    EXPECT_THAT(all, HasSubstr(fmt::format("[White \"P{}\"]", count - 1)));
    EXPECT_THAT(all, Not(HasSubstr(fmt::format("[White \"P{}\"]", count))));
    text += game(fmt::format("P{}", count));
    run_ok("printf %s " + shell_word(game(fmt::format("P{}", count))) + " >> " +
           word(source_ / "a.pgn"));
    go_on();
  }
  EXPECT_TRUE(shows("a.pgn/source.pgn", text));
  filesystem::remove(source_ / "a.pgn");
  EXPECT_TRUE(eventually([&] { return open_error("a.pgn/info.txt") == ENOENT; }));
}

TEST_F(PgnMountTest, AReadMayBeInterruptedAndOthersDoNotWait) {
  std::string many;
  while (many.size() < 150'000'000) {
    for (int i = 0; i < 1000; ++i) many += game(fmt::format("Player {}", many.size()));
  }
  put("large.pgn", many);
  mount();
  run_ok("timeout -s INT 0.3 ls " + word(*mount_ / "large.pgn") + "; test $? -eq 124");
  EXPECT_TRUE(eventually([&] {
    return read_all(*mount_ / "info.txt").find("large.pgn: 1") != std::string::npos &&
           read_all(*mount_ / "info.txt").find("not read yet") != std::string::npos;
  }));
  // Nothing is left of what was read.
  EXPECT_TRUE(eventually([&] {
    for (const auto& entry : filesystem::directory_iterator(cache_ / "scidfs")) {
      if (entry.path().filename().string().find(".s") != std::string::npos &&
          entry.path().extension() != ".sizes")
        return false;
    }
    return true;
  }));

  std::thread reader([&] { run_ok("ls " + word(*mount_ / "large.pgn")); });
  EXPECT_TRUE(eventually([&] {
    return read_all(*mount_ / "status.txt").find("have been read") != std::string::npos;
  }));
  EXPECT_FALSE(read_all(*mount_ / "base.si4/all.pgn").empty());
  EXPECT_FALSE(read_all(*mount_ / "base.si4/players.tsv").empty());
  reader.join();
  EXPECT_THAT(read_all(*mount_ / "large.pgn/info.txt"), HasSubstr("\nformat: PGN\n"));
}

TEST_F(PgnMountTest, AFullDiskLeavesNothing) {
  if (::mount("tmpfs", cache_.c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "requires to mount a tmpfs: " << std::strerror(errno);
  }
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += game(fmt::format("Player {}", i));
  put("a.pgn", many);
  put("b.pgn", game("B"));
  mount("pgn_cache=1G");
  const Outcome full = run("ls " + word(*mount_ / "a.pgn"));
  EXPECT_NE(full.exit_code, 0);
  EXPECT_THAT(full.errors, HasSubstr("No space left on device"));
  EXPECT_THAT(names_kept(), Not(Contains(testing::EndsWith(".si5"))));
  EXPECT_THAT(mount_->messages(), HasSubstr("No space left on device"));
  EXPECT_THAT(read_all(*mount_ / "b.pgn/all.pgn"), HasSubstr("[White \"B\"]"));
}

// The room is a tenth of what is free.
TEST_F(PgnMountTest, ARefusedFileIsReadWhenThereIsMoreRoom) {
  if (::mount("tmpfs", cache_.c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "requires to mount a tmpfs: " << std::strerror(errno);
  }
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += game(fmt::format("Player {}", i));
  put("a.pgn", many);
  mount();
  EXPECT_THAT(read_all(*mount_ / "a.pgn/info.txt"), HasSubstr("refused: its games need more than"));
  EXPECT_EQ(open_error("a.pgn/all.pgn"), ENOENT);
  ASSERT_EQ(::mount("tmpfs", cache_.c_str(), "tmpfs", MS_REMOUNT, "size=100m"), 0);
  EXPECT_TRUE(eventually([&] { return open_error("a.pgn/all.pgn") == 0; }));
  EXPECT_TRUE(eventually([&] {
    return try_read("a.pgn/info.txt").value_or("").find("games: 5000\n") != std::string::npos;
  }));
}

TEST_F(PgnMountTest, OneFileMayBeTheSource) {
  put("a.pgn", game("A"));
  LiveTest::mount({.source = source_ / "a.pgn", .cache_home = cache_});
  EXPECT_EQ(read_all(*mount_ / "source.pgn"), game("A"));
  EXPECT_EQ(pgn_of(word(*mount_ / "all.pgn")), pgn_of(word(source_ / "a.pgn")));
}

TEST_F(PgnMountTest, DaemonsShareTheRecords) {
  put("a.pgn", game("A"));
  mount();
  Mount other({.source = source_, .cache_home = cache_});
  ASSERT_TRUE(other.ok());
  const std::string all = read_all(*mount_ / "a.pgn/all.pgn");
  EXPECT_EQ(read_all(other / "a.pgn/all.pgn"), all);
  overwrite(source_ / "a.pgn", game("A") + game("B"));
  EXPECT_TRUE(eventually([&] { return read_all(other / "a.pgn/all.pgn") != all; }));
  EXPECT_TRUE(shows("a.pgn/all.pgn", read_all(other / "a.pgn/all.pgn")));
  EXPECT_THAT(names_kept(), testing::SizeIs(testing::Ge(4U)));
}

}  // namespace
}  // namespace scidfs::tests
