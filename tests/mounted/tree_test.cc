// Invariants of the name space: exact sizes, and every view is a concatenation of games.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include "tests/mounted/mounted.h"
#include "tests/support/packed.h"
#include "tests/support/player_list.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_writer.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class TreeTest : public SampleTest {
 protected:
  void SetUp() override {
    SampleTest::SetUp();
    if (is_over()) return;
    all_ = cut_games(read_all(*mount_ / "all.pgn"));
    ASSERT_GT(all_.size(), 1000U);
  }

  filesystem::path at(std::string_view name) const { return *mount_ / name; }

  // The concatenation of the games for which a predicate holds.
  template <typename Predicate>
  std::string games_where(Predicate predicate) const {
    std::string text;
    for (const std::string& game : all_) {
      if (predicate(game)) text += game;
    }
    return text;
  }

  std::vector<std::string> all_;
};

TEST_F(TreeTest, SizesAreExact) {
  std::size_t files = 0;
  for (const filesystem::path& path : files_below(mount_->path())) {
    struct stat before {};
    ASSERT_EQ(::lstat(path.c_str(), &before), 0) << path;
    ASSERT_TRUE(S_ISREG(before.st_mode)) << path;
    const std::string text = read_all(path);
    // status.txt has a new inode number and text at each lookup, so it is read through one
    // descriptor below.
    if (path.filename() == "status.txt") continue;
    ASSERT_EQ(text.size(), static_cast<std::size_t>(before.st_size)) << path;
    ASSERT_EQ(before.st_blocks, (before.st_size + 511) / 512) << path;
    ASSERT_EQ(before.st_mode & 0777, 0444U) << path;
    ++files;
  }
  EXPECT_GT(files, 3000U);
}

TEST_F(TreeTest, StatusKeepsItsTextWhileItIsOpen) {
  const int file = ::open(at("status.txt").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  struct stat status {};
  ASSERT_EQ(::fstat(file, &status), 0);
  std::string text(static_cast<std::size_t>(status.st_size) + 100, '\0');
  EXPECT_EQ(::pread(file, text.data(), text.size(), 0), status.st_size);
  ::close(file);
}

TEST_F(TreeTest, AllPgnIsConcatenationOfGames) {
  std::string text;
  for (const filesystem::path& path : files_below(at("games"))) text += read_all(path);
  EXPECT_TRUE(text == read_all(at("all.pgn")));
  EXPECT_EQ(files_below(at("games")).size(), all_.size());
}

TEST_F(TreeTest, DirectoriesOfGamesHoldAtMostAThousand) {
  for (const std::string& shard : names_in(at("games"))) {
    EXPECT_LE(names_in(at("games") / shard).size(), 1000U) << shard;
  }
}

TEST_F(TreeTest, PlayersHoldTheirGamesInOrder) {
  std::map<std::string, std::string> white, black, both;
  for (const std::string& game : all_) {
    white[tag_of(game, "White")] += game;
    black[tag_of(game, "Black")] += game;
    both[tag_of(game, "White")] += game;
    if (tag_of(game, "White") != tag_of(game, "Black")) both[tag_of(game, "Black")] += game;
  }
  std::set<std::string> seen;
  for (const std::string& shard : names_in(at("players"))) {
    for (const std::string& folder : names_in(at("players") / shard)) {
      const filesystem::path path = at("players") / shard / folder;
      SCOPED_TRACE(path);
      const bool has_white = filesystem::exists(path / "white.pgn");
      const bool has_black = filesystem::exists(path / "black.pgn");
      const std::string as_white = has_white ? read_all(path / "white.pgn") : "";
      const std::string as_black = has_black ? read_all(path / "black.pgn") : "";
      const std::string name =
          as_white.empty() ? tag_of(as_black, "Black") : tag_of(as_white, "White");
      ASSERT_THAT(name, Not(IsEmpty()));
      EXPECT_TRUE(as_white == white[name]) << name;
      EXPECT_TRUE(as_black == black[name]) << name;
      EXPECT_TRUE(read_all(path / "all.pgn") == both[name]) << name;
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
  }
  EXPECT_EQ(seen.size(), both.size());
}

TEST_F(TreeTest, EventsHoldTheirGamesInOrder) {
  std::vector<std::string> found;
  for (const std::string& year : names_in(at("events"))) {
    for (const std::string& folder : names_in(at("events") / year)) {
      const filesystem::path path = at("events") / year / folder;
      SCOPED_TRACE(path);
      EXPECT_THAT(names_in(path), ElementsAre("crosstable.tsv", "crosstable.txt", "games.pgn",
                                              "index.tsv", "standings.tsv", "summary.txt"));
      const std::vector<std::string> games = cut_games(read_all(path / "games.pgn"));
      ASSERT_THAT(games, Not(IsEmpty()));
      auto position = all_.begin();
      for (const std::string& game : games) {
        EXPECT_EQ(tag_of(game, "Event"), tag_of(games[0], "Event"));
        EXPECT_EQ(tag_of(game, "Site"), tag_of(games[0], "Site"));
        position = std::find(position, all_.end(), game);
        ASSERT_NE(position, all_.end());
        ++position;
      }
      found.insert(found.end(), games.begin(), games.end());
    }
  }
  std::vector<std::string> expected = all_;
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_TRUE(found == expected) << found.size() << " of " << expected.size();
}

TEST_F(TreeTest, YearsHoldTheirGamesInOrder) {
  std::size_t games = 0;
  for (const std::string& year : names_in(at("years"))) {
    SCOPED_TRACE(year);
    const bool known = year[0] != '_';
    const std::string prefix = known ? year : "????";
    const auto in_year = [&](const std::string& game) {
      return tag_of(game, "Date").substr(0, 4) == prefix;
    };
    const filesystem::path all = filesystem::is_directory(at("years") / year)
                                     ? at("years") / year / "all.pgn"
                                     : at("years") / year;
    const std::string text = read_all(all);
    EXPECT_TRUE(text == games_where(in_year));
    games += cut_games(text).size();
    if (!filesystem::is_directory(at("years") / year)) continue;
    for (const std::string& name : names_in(at("years") / year)) {
      if (name == "all.pgn" || !name.ends_with(".pgn")) continue;
      const std::string month = name[0] == '_' ? "??" : name.substr(0, 2);
      EXPECT_TRUE(read_all(at("years") / year / name) == games_where([&](const std::string& game) {
                    return in_year(game) && tag_of(game, "Date").substr(5, 2) == month;
                  }))
          << name;
    }
  }
  EXPECT_EQ(games, all_.size());
}

TEST_F(TreeTest, OpeningsHoldTheirGamesInOrder) {
  std::size_t games = 0;
  for (const filesystem::path& path : files_below(at("eco"))) {
    if (path.extension() != ".pgn") continue;
    const std::string stem = path.stem();
    const bool known = stem[0] != '_';
    const std::string text = read_all(path);
    EXPECT_TRUE(text == games_where([&](const std::string& game) {
                  const std::string code = tag_of(game, "ECO");
                  return known ? code.substr(0, 3) == stem : code.empty();
                }))
        << path;
    games += cut_games(text).size();
  }
  EXPECT_EQ(games, all_.size());
}

TEST_F(TreeTest, TablesHaveRowForEachGame) {
  const std::string table = read_all(at("index.tsv"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')),
            all_.size() + 1);
  // Every path in it opens.
  const std::string header = table.substr(0, table.find('\n'));
  const std::string before = header.substr(0, header.find("\tpath"));
  const auto column = std::count(before.begin(), before.end(), '\t') + 2;
  const std::string text =
      run_ok(fmt::format("cd {} && tail -n +2 index.tsv | cut -f{} | tr '\\n' '\\0' | xargs -0 cat",
                         shell_word(mount_->path().string()), column));
  EXPECT_TRUE(text == read_all(at("all.pgn")));
}

TEST_F(TreeTest, ShortNamesOpen) {
  EXPECT_TRUE(read_all(at("games/1.pgn")) == all_[0]);
  EXPECT_TRUE(read_all(at("games/00000/00000001.pgn")) == all_[0]);
  EXPECT_TRUE(read_all(at("games/00000/1.pgn")) == all_[0]);
  const std::string shard = names_in(at("players"))[0];
  const std::string player = names_in(at("players") / shard)[0];
  EXPECT_TRUE(read_all(at("players") / player / "all.pgn") ==
              read_all(at("players") / shard / player / "all.pgn"));
  for (const char* const name :
       {"games/0.pgn", "games/99999999.pgn", "games/1.pgn.bak", "games/x.pgn", "nothing",
        "players/nobody at all", "games/4294967297.pgn"}) {
    EXPECT_FALSE(filesystem::exists(at(name))) << name;
  }
}

TEST_F(TreeTest, PositionsAreFoundByGrep) {
  // Ruy Lopez. Few games transpose into it, and none of them begins with another position.
  const std::string position = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq";
  std::set<std::string> found;
  std::istringstream paths(run_ok("cd " + word(at("fens")) + " && grep -rlF '" + position + "' ."));
  for (std::string path; std::getline(paths, path);) {
    found.insert("games/" + std::filesystem::path(path).replace_extension(".pgn").string());
  }
  EXPECT_GT(found.size(), 10U);
  std::size_t expected = 0;
  for (const std::string& game : all_) {
    expected += game.find("\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5") != std::string::npos ? 1 : 0;
  }
  std::size_t direct = 0;
  for (const std::string& path : found) {
    if (read_all(*mount_ / path).find("\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5") != std::string::npos)
      ++direct;
  }
  EXPECT_EQ(direct, expected);
  EXPECT_TRUE(read_all(at("fens/1.epd")) == read_all(at("fens/00000/00000001.epd")));
  EXPECT_EQ(names_in(at("fens")), names_in(at("games")));
}

TEST_F(TreeTest, DeletedGamesAreSeparate) {
  const std::vector<std::string> deleted = cut_games(read_all(at("deleted/all.pgn")));
  ASSERT_THAT(deleted, Not(IsEmpty()));
  const Mount shown({.source = sample_database(), .options = "deleted=show"});
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(cut_games(read_all(shown / "all.pgn")).size(), all_.size() + deleted.size());
}

// The mount keeps its spelling file open: later changes of its name have no effect.
TEST_F(MountedTest, PersonHasOneFolder) {
  const TemporaryFolder folder;
  ScidWriter writer;
  const std::string record = ScidEncoder().moves("e4 e5").record();
  const std::vector<std::string> spellings = {"Kasparov,G", "Kasparov, Gary", "Garry Kasparov",
                                              "Kasparov, Garri"};
  for (const std::string& name : spellings) writer.add(record, name, "Anand,V");
  write_scid_files(writer.files(), folder / "x");
  const std::string file = read_file(test_data("spelling/people.ssp"));
  const filesystem::path spelling = folder / "people.ssp";
  write_file(spelling, file);
  const Mount mount({.source = folder / "x.si4", .options = "spelling=" + spelling.native()});
  ASSERT_TRUE(mount.ok());
  const filesystem::path garry = mount / "people/ka/Kasparov,_Garry";
  EXPECT_EQ(cut_games(read_all(garry / "white.pgn")).size(), spellings.size());
  EXPECT_EQ(names_in(mount / "people/ka"), std::vector<std::string>{"Kasparov,_Garry"});

  replace(spelling, "@PLAYER\nSomebody, Else\n");
  EXPECT_THAT(read_all(garry / "summary.txt"), testing::HasSubstr("World Champion 1985-93"));
  const Mount other({.source = folder / "x.si4", .options = "spelling=" + spelling.native()});
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(names_in(other / "people"), std::vector<std::string>{"_unresolved.tsv"});

  write_file(spelling, file);
  const Mount third({.source = folder / "x.si4", .options = "spelling=" + spelling.native()});
  ASSERT_TRUE(third.ok());
  overwrite(spelling, file + "# longer\n");
  const filesystem::path stale = third / "people/ka/Kasparov,_Garry/summary.txt";
  EXPECT_EQ(::open(stale.c_str(), O_RDONLY | O_CLOEXEC), -1);
  EXPECT_EQ(errno, ESTALE);
  EXPECT_EQ(cut_games(read_all(third / "people/ka/Kasparov,_Garry/all.pgn")).size(),
            spellings.size());
}

// The second mount maps what the first one has saved.
TEST_F(MountedTest, PeopleOfTheListOfPlayersHaveFolders) {
  const TemporaryFolder folder;
  ScidWriter writer;
  writer.add(ScidEncoder().moves("e4 e5").record(), "Neumann, Nora", "Anand,V");
  write_scid_files(writer.files(), folder / "x");
  const filesystem::path list = folder / "players_list.zip";
  write_file(list, zipped({{"players_list_foa.txt",
                            player_list({{.id = 1, .name = "Neumann, Nora", .title = "WIM"}})}}));
  const filesystem::path cache = folder / "cache";
  std::set<filesystem::path> kept;
  for (int i = 0; i < 2; ++i) {
    const Mount mount(
        {.source = folder / "x.si4", .options = "fide=" + list.native(), .cache_home = cache});
    ASSERT_TRUE(mount.ok());
    EXPECT_EQ(names_in(mount / "people/ne"), std::vector<std::string>{"Neumann,_Nora"});
    EXPECT_THAT(read_all(mount / "people.tsv"), testing::HasSubstr("\tWIM\tNOR\t"));
    for (const auto& entry : filesystem::directory_iterator(cache / "scidfs")) {
      if (entry.path().extension() == ".players") kept.insert(entry.path());
    }
    EXPECT_EQ(kept.size(), 1);
  }
  const Mount scid({.source = folder / "x.si4", .options = "people=scid,fide=" + list.native()});
  ASSERT_TRUE(scid.ok());
  EXPECT_FALSE(filesystem::exists(scid / "people"));
}

}  // namespace
}  // namespace scidfs::tests
