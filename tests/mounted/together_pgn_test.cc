// together/ of PGN files, which are read when a program first needs their games.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "tests/mounted/live.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string games_of(std::string_view white, int count) {
  std::string games;
  for (int i = 0; i < count; ++i) {
    games += fmt::format(
        "[Event \"Club\"]\n[Date \"2020.01.02\"]\n[White \"{}\"]\n[Black \"Other\"]\n"
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
        white);
  }
  return games;
}

class TogetherPgnTest : public LiveTest {
 protected:
  void put(const std::string& name, std::string_view text) {
    overwrite(source_ / name, text);
    make_old(source_);
  }
  // Mounts with an empty cache folder.
  void mount(const std::string& options = "") {
    mount_.reset();
    filesystem::remove_all(cache_);
    filesystem::create_directory(cache_);
    LiveTest::mount({.source = source_, .options = options, .cache_home = cache_});
  }
  std::string info() const { return read_all(*mount_ / "together/info.txt"); }
  // The kernel may know the former text for a moment.
  template <class Matcher>
  void expect_info(const Matcher& matcher) const {
    EXPECT_TRUE(eventually([&] { return testing::Matches(matcher)(info()); })) << info();
  }
  std::string in_together(const std::string& command) const {
    return run_ok("cd " + word(*mount_ / "together") + " && " + command);
  }

  const filesystem::path cache_ = folder_ / "cache";
};

TEST_F(TogetherPgnTest, FilesAreReadWhenGamesAreNeeded) {
  put("a.pgn", games_of("A", 1));
  put("b.pgn", games_of("B", 2));
  save("c", example(10, 1).files(), overwrite);
  make_old(source_);
  mount();
  const std::string unread =
      "databases: 1\ngames: 10\ndatabase: c.si4: 10 games\nnot read yet: a.pgn\n"
      "not read yet: b.pgn\nelsewhere: ";
  const std::string names = in_together("ls");
  EXPECT_THAT(names, AllOf(HasSubstr("all.pgn\n"), HasSubstr("info.txt\n"), HasSubstr("players\n"),
                           HasSubstr("tree\n")));
  in_together("stat . players tree doubles > /dev/null; cat .ignore; ! stat .git 2> /dev/null");
  EXPECT_THAT(info(), HasSubstr(unread));
  EXPECT_THAT(read_all(*mount_ / "info.txt"), AllOf(HasSubstr("a.pgn: 0.0 MB, not read yet\n"),
                                                    HasSubstr("b.pgn: 0.0 MB, not read yet\n")));
  EXPECT_EQ(in_together("cut -f1,2 index.tsv | tail -n +2 | wc -l"), "13\n");
  expect_info(
      HasSubstr("databases: 3\ngames: 13\ndatabase: a.pgn: 1 games\n"
                "database: b.pgn: 2 games\ndatabase: c.si4: 10 games\nelsewhere"));
  EXPECT_EQ(in_together("ls"), names);
  EXPECT_TRUE(eventually(
      [&] { return read_all(*mount_ / "info.txt").find("not read yet") == std::string::npos; }));
  EXPECT_EQ(in_together("wc -l < index.tsv"), "14\n");
}

TEST_F(TogetherPgnTest, NothingDependsOnWhatWasLookedIntoBefore) {
  put("a.pgn", games_of("A", 1));
  put("b.pgn", games_of("B", 2));
  put("c.pgn", "[White \"C\"]\n\n1. d4 *\n");
  const std::string question =
      "cat all.pgn players.tsv years.tsv info.txt; find players eco | sort";
  std::string wanted;
  for (const std::string before : {"true", "ls a.pgn", "ls b.pgn; cat a.pgn/all.pgn", "ls *.pgn"}) {
    SCOPED_TRACE(before);
    mount();
    run_ok("cd " + word(mount_->path()) + " && { " + before + "; } > /dev/null");
    const std::string found = in_together(question);
    if (wanted.empty()) wanted = found;
    EXPECT_EQ(found, wanted);
  }
  EXPECT_THAT(wanted, AllOf(HasSubstr("databases: 3\ngames: 4\n"), HasSubstr("[White \"B\"]")));
}

TEST_F(TogetherPgnTest, InfoNamesAHundredFilesAndCountsTheOthers) {
  for (int i = 0; i < 105; ++i) {
    overwrite(source_ / fmt::format("{:03}.pgn", i), games_of("A", 1));
  }
  put("zeros.pgn.xz", std::string_view("\xFD"
                                       "7zXZ\0 no such header",
                                       22));
  mount();
  EXPECT_THAT(info(), AllOf(HasSubstr("databases: 0\ngames: 0\nnot read yet: 000.pgn\n"),
                            HasSubstr("not read yet: 099.pgn\nnot read yet: 6 more PGN files\n")));
  EXPECT_EQ(in_together("cut -f2 players.tsv | sed -n 2p"), "105\n");
  expect_info(AllOf(HasSubstr("databases: 105\n"), HasSubstr("\nrefused: zeros.pgn.xz: "),
                    Not(HasSubstr("not read yet"))));
}

TEST_F(TogetherPgnTest, AFileWithoutRoomInTheCacheIsNamed) {
  std::string many;
  for (int i = 0; i < 40'000; ++i) many += games_of(fmt::format("Player {}", i), 1);
  put("a.pgn", games_of("A", 1));
  put("b.pgn", games_of("B", 1));
  put("large.pgn", many);
  mount("pgn_cache=1M");
  EXPECT_EQ(in_together("wc -l < index.tsv"), "3\n");
  expect_info(AllOf(HasSubstr("databases: 2\ngames: 2\n"),
                    HasSubstr("\nrefused: large.pgn: its games need more than")));
}

TEST_F(TogetherPgnTest, ReadingMayBeInterruptedAndIsReported) {
  std::string many;
  while (many.size() < 100'000'000) many += games_of(fmt::format("Player {}", many.size()), 50);
  put("a.pgn", games_of("A", 1));
  put("large.pgn", many);
  mount();
  const std::string players = word(*mount_ / "together/players");
  run_ok("timeout -s INT 0.3 ls " + players + "; test $? -eq 124");
  EXPECT_THAT(info(), HasSubstr("not read yet: large.pgn\n"));
  std::thread reader([&] { EXPECT_NE(run_ok("ls " + players), ""); });
  EXPECT_TRUE(eventually([&] {
    const std::string status = read_all(*mount_ / "status.txt");
    return status.find("\ntogether: 1 of 2 databases have been read\n") != std::string::npos;
  }));
  reader.join();
  expect_info(HasSubstr("databases: 2\n"));
}

}  // namespace
}  // namespace scidfs::tests
