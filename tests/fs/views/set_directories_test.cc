// Sets of games as directories: their entries, and sets inside of sets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "fs/search/facet_row.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/html_check.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) { return tests::split(text, '\n'); }

// Columns of index.tsv, from 0.
enum Column : std::size_t {
  kWhiteColumn = 1,
  kBlackColumn = 3,
  kResult = 5,
  kDate = 6,
  kEco = 10,
  kPath = 12
};

class SetDirectoriesTest : public LibraryTest {
 protected:
  void SetUp() override { open(tests::test_data("sample/sample.si4")); }

  // The header and the lines of a table for which the condition holds.
  template <class Holds>
  std::string lines_where(const std::string& table, const Holds& holds) const {
    std::string wanted;
    bool is_head = true;
    for (const std::string& line : lines_of(text(table))) {
      if (is_head || holds(tests::fields_of(line))) wanted += line + "\n";
      is_head = false;
    }
    return wanted;
  }
  // The concatenated texts of the games of a table.
  std::string games_of(const std::string& table) const {
    std::string games;
    const std::vector<std::string> lines = lines_of(table);
    for (std::size_t i = 1; i < lines.size(); ++i) games += text(tests::fields_of(lines[i])[kPath]);
    return games;
  }
  void expect_set(const std::string& directory, const std::string& table) const {
    SCOPED_TRACE(directory);
    EXPECT_EQ(text(directory + "/index.tsv"), table);
    EXPECT_EQ(text(directory + "/games.pgn"), games_of(table));
  }
  absl::StatusCode code_of(std::string_view path) const { return find(path).status().code(); }

  // The directories of one set of each kind.
  static constexpr std::array<std::string_view, 17> kSets = {
      "",
      "deleted",
      "players/ca/Carlsen,_Magnus",
      "players/ca/Carlsen,_Magnus/white",
      "players/ca/Carlsen,_Magnus/black",
      "players/Carlsen,_Magnus",
      "players/Carlsen,_Magnus/white",
      "players/Carlsen,_Magnus/black",
      "events/2018/WCh_2018--London_ENG",
      "years/2018",
      "years/2018/11",
      "eco/B",
      "eco/B/B33",
      "flags/user",
      "endings/rook",
      "search/eco=B",
      "eco/B/search/year=2018/search/white=Car*",
  };
};

TEST_F(SetDirectoriesTest, HaveTheSameEntries) {
  for (const std::string_view set : kSets) {
    SCOPED_TRACE(set);
    const std::string path = set.empty() ? "" : std::string(set) + "/";
    ASSERT_TRUE(exists(set));
    for (const char* const name : {"index.tsv", "summary.txt", "players.tsv", "openings.tsv",
                                   "years.tsv", "games.pgn", "all.pgn"}) {
      EXPECT_TRUE(exists(path + name)) << name;
    }
    EXPECT_TRUE(find(path + "search")->attributes.is_directory);
    EXPECT_EQ(inode(path + "games.pgn"), inode(path + "all.pgn"));
    const std::string_view name =
        set.empty() ? std::string_view("sample.si4") : set.substr(set.rfind('/') + 1);
    EXPECT_EQ(inode(fmt::format("{}{}.pgn", path, name)), inode(path + "games.pgn"));
    EXPECT_THAT(names(set), IsSupersetOf({"index.tsv", "summary.txt"}));
    EXPECT_EQ(exists(path + "opponents.tsv"), set.starts_with("players/"));
    EXPECT_EQ(games_of(text(path + "index.tsv")), text(path + "games.pgn"));
    EXPECT_FALSE(exists(path + "nothing.tsv"));
  }
}

TEST_F(SetDirectoriesTest, ListOnlyBoundedEntries) {
  // `ls -l` asks for the size of each: a file that costs more than a scan of the index is not
  // there.
  EXPECT_THAT(names(""),
              Not(Contains(AnyOf("events.tsv", "endings.tsv", "novelties.tsv", "evals.tsv",
                                 "tags.tsv", "values", "lines.pgn", "book.bin"))));
  EXPECT_THAT(names(""), IsSupersetOf({"all.pgn", "index.tsv", "players.tsv", "openings.tsv",
                                       "years.tsv", "summary.txt", "search", "info.txt", "games"}));
  EXPECT_THAT(names("players/ca/Carlsen,_Magnus"),
              ElementsAre("all.pgn", "index.tsv", "summary.txt", "white.pgn", "black.pgn"));
  EXPECT_THAT(names("players/ca/Carlsen,_Magnus/white"),
              ElementsAre("games.pgn", "index.tsv", "summary.txt"));
  EXPECT_THAT(names("events/2018/WCh_2018--London_ENG"),
              ElementsAre("games.pgn", "index.tsv", "summary.txt", "crosstable.txt",
                          "standings.tsv", "crosstable.tsv"));
  EXPECT_THAT(names("years/2018"), ElementsAre("all.pgn", "index.tsv", "summary.txt", "04.pgn",
                                               "05.pgn", "07.pgn", "08.pgn", "11.pgn"));
  EXPECT_THAT(names("years/2018/11"), ElementsAre("games.pgn", "index.tsv", "summary.txt"));
  EXPECT_THAT(names("eco/B"), Contains("B33.pgn"));
  EXPECT_THAT(names("eco/B"), Not(Contains("B33")));
  EXPECT_THAT(names("search"),
              ElementsAre("README.txt", "result=1-0", "result=0-1", "result=draw", "result=unknown",
                          "eco=A", "eco=B", "eco=C", "eco=D", "eco=E", "annotated=any"));
  EXPECT_THAT(names("search/eco=B"), ElementsAre("index.tsv", "summary.txt"));
  for (const char* const path : {"search/eco=B9", "search/eco=B/result=draw",
                                 "eco/B/search/result=draw/search/annotated=any"}) {
    EXPECT_THAT(names(path), ElementsAre("games.pgn", "index.tsv", "summary.txt"));
  }
}

TEST_F(SetDirectoriesTest, HaveParents) {
  for (const std::string_view set : kSets) {
    if (set.empty()) continue;
    SCOPED_TRACE(set);
    const std::string path(set);
    const std::size_t slash = path.rfind('/');
    const std::string above = slash == std::string::npos ? "" : path.substr(0, slash);
    EXPECT_EQ(inode(path + "/.."), inode(above));
    EXPECT_EQ(inode(path + "/search/.."), inode(path));
    EXPECT_EQ(inode(path + "/search/result=draw/.."), inode(path + "/search"));
    EXPECT_EQ(inode(path + "/search/result=draw/eco=B/.."), inode(path + "/search/result=draw"));
  }
}

// No directory has two paths, because the kernel would move it between them.
TEST_F(SetDirectoriesTest, EachPathHasUniqueInodeNumberAndKeepsIt) {
  std::map<Inode, std::string> paths;
  const std::vector<std::string> below = {"",
                                          "/search",
                                          "/search/eco=B",
                                          "/search/eco=b",
                                          "/search/eco=B/search",
                                          "/search/eco=B/result=draw",
                                          "/search/result=draw/eco=B",
                                          "/search/eco=B/search/result=draw"};
  for (const std::string_view set : kSets) {
    if (set.empty()) continue;
    for (const std::string& more : below) {
      const std::string path = std::string(set) + more;
      const auto [place, is_new] = paths.emplace(inode(path), path);
      EXPECT_TRUE(is_new) << path << " and " << place->second;
    }
  }
  open(tests::test_data("sample/sample.si4"));
  for (const auto& [number, path] : paths) EXPECT_EQ(inode(path), number) << path;
}

TEST_F(SetDirectoriesTest, QueriesFindGamesThatMeetAllFacets) {
  const auto is = [](Column column, std::string_view value) {
    return [=](const std::vector<std::string>& line) { return line[column] == value; };
  };
  expect_set("search/result=draw", lines_where("index.tsv", is(kResult, "1/2-1/2")));
  expect_set("search/white=carlsen,_magnus",
             lines_where("index.tsv", is(kWhiteColumn, "Carlsen, Magnus")));
  const std::string both = lines_where("index.tsv", [](const std::vector<std::string>& line) {
    return line[kEco].starts_with("B3") && line[kDate].starts_with("2018");
  });
  EXPECT_GT(lines_of(both).size(), 3U);
  for (const char* const path :
       {"search/eco=B3/year=2018", "search/year=2018/eco=B3", "search/eco=B3/search/year=2018",
        "years/2018/search/eco=B3", "eco/B/search/eco=B3/year=2018"}) {
    expect_set(path, both);
  }
  const std::string table = "players/ca/Carlsen,_Magnus/index.tsv";
  expect_set("players/ca/Carlsen,_Magnus/search/opponent=Caruana*",
             lines_where(table, [](const std::vector<std::string>& line) {
               return line[kWhiteColumn].starts_with("Caruana") ||
                      line[kBlackColumn].starts_with("Caruana");
             }));
  expect_set("players/Carlsen,_Magnus/white/search/opponent=Caruana*",
             lines_where(table, [](const std::vector<std::string>& line) {
               return line[kBlackColumn].starts_with("Caruana");
             }));
  expect_set("search/opponent=Caruana*/player=Carlsen*",
             text("players/ca/Carlsen,_Magnus/search/opponent=Caruana*/index.tsv"));
}

TEST_F(SetDirectoriesTest, QueryWithoutGamesIsEmptySet) {
  const std::string path = "search/player=Nobody_at_all/year=1800";
  EXPECT_EQ(text(path + "/games.pgn"), "");
  EXPECT_EQ(lines_of(text(path + "/index.tsv")).size(), 1U);
  EXPECT_EQ(lines_of(text(path + "/players.tsv")).size(), 1U);
  EXPECT_EQ(lines_of(text(path + "/opponents.tsv")).size(), 1U);
  EXPECT_EQ(lines_of(text(path + "/openings.tsv")).size(), 1U);
  EXPECT_EQ(lines_of(text(path + "/years.tsv")).size(), 1U);
  EXPECT_NE(text(path + "/summary.txt"), "");
}

TEST_F(SetDirectoriesTest, InvalidFacetsAreNotFoundAndReportedInStatus) {
  for (const char* const path :
       {"search/colour=white", "search/month=13", "search/year=", "search/eco=B/eco=C",
        "search/eco=B/colour=white", "search/nothing", "eco=B", "search/eco=B/nothing",
        "search/not-eco=B/not-eco=A", "search/eco=B,", "search/not-colour=white"}) {
    EXPECT_EQ(code_of(path), absl::StatusCode::kNotFound) << path;
  }
  const std::string status = text("status.txt");
  for (const char* const line :
       {"no facet: colour=white: unknown key `colour`", "no facet: month=13: month requires",
        "no facet: year=: year requires", "no facet: eco=C: duplicate key",
        "no facet: not-eco=A: duplicate key", "no facet: eco=B,: an alternative",
        "no facet: not-colour=white: unknown key `colour`"}) {
    EXPECT_THAT(status, HasSubstr(line));
  }
  EXPECT_THAT(status, Not(HasSubstr("nothing")));
  EXPECT_TRUE(exists("search/eco=B/not-eco=B90/index.tsv"));
}

TEST_F(SetDirectoriesTest, NegatedPlayerIsNoSubject) {
  EXPECT_TRUE(exists("search/player=Carlsen*/not-opponent=Caruana*/opponents.tsv"));
  EXPECT_TRUE(exists("search/not-player=Carlsen*/index.tsv"));
  EXPECT_FALSE(exists("search/not-player=Carlsen*/opponents.tsv"));
}

// The directory of each of several colliding names is found by its name.
TEST_F(SetDirectoriesTest, DirectoryNameWithSuffixMeansOnlyItsPlayer) {
  tests::ScidFilesBuilder builder;
  for (const std::string_view name : {"Carlsen, Magnus", "Anand, V", "CARLSEN, MAGNUS", "", "?"}) {
    builder.name(codec::scid::NameKind::Player, name);
  }
  for (const codec::scid::NameKind kind :
       {codec::scid::NameKind::Event, codec::scid::NameKind::Site, codec::scid::NameKind::Round}) {
    builder.name(kind, "Cup");
  }
  tests::Random random(1);
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 6> kPlayers = {
      {{0, 1}, {2, 1}, {1, 2}, {2, 0}, {3, 1}, {1, 4}}};
  for (const auto& [white, black] : kPlayers) {
    codec::scid::IndexEntry entry;
    entry.white = white;
    entry.black = black;
    builder.game(entry, tests::random_game(random, {.plies = 4}).record());
  }
  put("x", builder.files());
  open(source_ / "x.si4");

  EXPECT_THAT(names("players/ca"), ElementsAre("Carlsen,_Magnus", "CARLSEN,_MAGNUS~2"));
  const auto expect_same = [&](const std::string& one, const std::string& other) {
    SCOPED_TRACE(one);
    EXPECT_NE(text(one), "");
    EXPECT_EQ(text(one), text(other));
  };
  for (const std::string name : {"CARLSEN,_MAGNUS~2", "carlsen,_magnus~2"}) {
    expect_same("search/player=" + name + "/all.pgn", "players/ca/CARLSEN,_MAGNUS~2/all.pgn");
    expect_same("search/white=" + name + "/index.tsv",
                "players/ca/CARLSEN,_MAGNUS~2/white/index.tsv");
    expect_same("search/black=" + name + "/index.tsv",
                "players/ca/CARLSEN,_MAGNUS~2/black/index.tsv");
    expect_same("players/Anand,_V/against/" + name + ".pgn", "search/number=2..3/all.pgn");
    expect_same("players/Anand,_V/search/opponent=" + name + "/all.pgn",
                "search/number=2..3/all.pgn");
  }
  expect_same("search/white=Carlsen,_Magnus~0/index.tsv", "search/number=1/index.tsv");
  EXPECT_EQ(lines_of(text("search/white=Carlsen,_Magnus/index.tsv")).size(), 1U + 3U) << "of both";
  expect_same("search/player=_unknown/index.tsv", "players/_u/_unknown/index.tsv");
  EXPECT_FALSE(exists("players/_u/_unknown~4"));
  for (const char* const nobody :
       {"search/white=Carlsen,_Magnus~1", "search/white=Carlsen,_Magnus~99",
        "players/Anand,_V/against/Carlsen,_Magnus~1.pgn", "search/person=Carlsen,_Magnus~2",
        "search/player=Carl*~2", "search/event=Cup~0", "search/opening=Cup~0"}) {
    EXPECT_EQ(code_of(nobody), absl::StatusCode::kNotFound) << nobody;
    EXPECT_THAT(text("status.txt"),
                HasSubstr(std::string("no facet: ") +
                          (std::string_view(nobody).find("against") == std::string_view::npos
                               ? nobody + sizeof "search/" - 1
                               : "opponent=Carlsen,_Magnus~1")));
  }
}

TEST_F(SetDirectoriesTest, ExamplesOfReadmeFindGames) {
  const std::string readme = text("search/README.txt");
  int examples = 0;
  for (const std::string& line : lines_of(readme.substr(readme.find("EXAMPLES")))) {
    if (!line.starts_with("      search/")) continue;
    ++examples;
    const std::string path = line.substr(6);
    EXPECT_GT(lines_of(text(path)).size(), 1U) << path;
    EXPECT_NE(text(path.substr(0, path.rfind('/')) + "/games.pgn"), "") << path;
  }
  EXPECT_EQ(examples, 5);
  for (const std::string& line : lines_of(readme)) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_LE(lines_of(readme).size(), 2U * 36U) << "two screens";
}

// Every key that the text mentions is valid.
TEST_F(SetDirectoriesTest, ReadmeNamesEveryKey) {
  // Including those that need Scid's data files.
  const auto spelling =
      Spelling::load(*SourceFile::open(tests::test_data("spelling/people.ssp")), {});
  ASSERT_TRUE(spelling.ok()) << spelling.status();
  auto reference = std::make_shared<Reference>();
  reference->spelling = std::make_shared<const SpellingLoad>(*spelling);
  reference->openings = std::make_shared<const OpeningNames>("A00 \"Start\" *\n");
  reference->fingerprint = 1;
  options_.database.reference = reference;
  open(tests::test_data("sample/sample.si4"));
  EXPECT_FALSE(exists("search/nokey=1"));
  const std::string status = text("status.txt");
  const std::size_t begin = status.find("valid keys: ") + 12;
  const std::string keys = status.substr(begin, status.find('\n', begin) - begin);
  const std::string readme = text("search/README.txt");
  std::size_t count = 0;
  for (std::size_t at = 0; at < keys.size(); ++count) {
    const std::size_t end = std::min(keys.find(", ", at), keys.size());
    EXPECT_THAT(readme, HasSubstr(keys.substr(at, end - at)));
    at = end + 2;
  }
  EXPECT_EQ(count, facet_rows().size());
}

TEST_F(SetDirectoriesTest, AgainstContainsGamesAgainstOpponent) {
  for (const std::string player : {"players/ca/Carlsen,_Magnus", "players/Carlsen,_Magnus/white",
                                   "search/player=Carlsen*", "eco/B/search/white=Car*/player=C*"}) {
    SCOPED_TRACE(player);
    const std::vector<std::string> opponents = lines_of(text(player + "/opponents.tsv"));
    ASSERT_GT(opponents.size(), 1U);
    EXPECT_THAT(names(player), Not(Contains("against")));
    EXPECT_TRUE(find(player + "/against")->attributes.is_directory);
    EXPECT_THAT(names(player + "/against"), ElementsAre());
    std::string name = tests::fields_of(opponents[1])[0];
    std::ranges::replace(name, ' ', '_');
    const std::string expected = text(fmt::format("{}/search/opponent={}/games.pgn", player, name));
    EXPECT_NE(expected, "");
    EXPECT_EQ(text(fmt::format("{}/against/{}.pgn", player, name)), expected);
    EXPECT_EQ(text(fmt::format("{}/against/%{:02X}{}.pgn", player, name[0], name.substr(1))),
              expected);
    EXPECT_EQ(text(fmt::format("{}/against/{}*.pgn", player, name)), expected);
    EXPECT_EQ(text(player + "/against/*.pgn"), text(player + "/all.pgn"));
    for (const char* const nobody : {"Nobody.pgn", "%4.pgn", ".pgn"}) {
      EXPECT_EQ(code_of(player + "/against/" + nobody), absl::StatusCode::kNotFound) << nobody;
    }
    EXPECT_FALSE(exists(player + "/against/" + name));
    EXPECT_FALSE(exists(player + "/against/index.tsv"));
    // Its page leads to each of them.
    const std::string page = text(player + "/against/index.html");
    EXPECT_EQ(tests::html_fault(page), "");
    const std::vector<std::string> links =
        tests::matches(page, std::regex(R"re(href="([^"]*)\.pgn")re"));
    EXPECT_EQ(links.size(), opponents.size() - 1);
    EXPECT_THAT(links, Contains(name));
    for (const std::string& link : links) {
      // Not all characters of a URL stand for themselves.
      if (link.find('%') != std::string::npos) continue;
      EXPECT_TRUE(exists(fmt::format("{}/against/{}.pgn", player, link))) << link;
    }
  }
  EXPECT_FALSE(exists("players/Carlsen,_Magnus/against/Carlsen,_Magnus.pgn"));
  EXPECT_FALSE(exists("against"));
  EXPECT_FALSE(exists("eco/B/against"));
  EXPECT_FALSE(exists("eco/B/against/index.html"));
  EXPECT_FALSE(exists("events/2018/WCh_2018--London_ENG/against/Carlsen,_Magnus.pgn"));
  // An empty set is a set too.
  EXPECT_EQ(text("players/Carlsen,_Magnus/search/opponent=Nobody/games.pgn"), "");
  EXPECT_EQ(text("players/Carlsen,_Magnus/search/event=against/opponent=Nobody/games.pgn"), "");
}

TEST_F(SetDirectoriesTest, AnnotatedGamesHaveFlagDirectory) {
  const std::string annotated = text("search/annotated=any/games.pgn");
  ASSERT_NE(annotated, "");
  EXPECT_THAT(names("flags"), Contains("annotated.pgn"));
  EXPECT_EQ(text("flags/annotated.pgn"), annotated);
  EXPECT_EQ(text("flags/annotated/games.pgn"), annotated);
  EXPECT_EQ(text("flags/annotated/index.tsv"), text("search/annotated=any/index.tsv"));
  EXPECT_EQ(text("flags/annotated/search/eco=B/index.tsv"),
            text("search/annotated=any/eco=B/index.tsv"));
  EXPECT_THAT(text("flags/annotated/summary.txt"),
              HasSubstr("Games with comments, variations or NAGs"));
  // It is missing if no game has one.
  put("plain", example_database(3, 1).files());
  open(source_);
  EXPECT_FALSE(exists("plain.si4/flags/annotated.pgn"));
}

TEST_F(SetDirectoriesTest, DeletedGamesAreOnlyInDeletedSets) {
  const std::string deleted = text("deleted/index.tsv");
  ASSERT_GT(lines_of(deleted).size(), 1U);
  EXPECT_EQ(text("deleted/search/number=1../index.tsv"), deleted);
  EXPECT_EQ(text("deleted/search/flag=D/index.tsv"), deleted);
  EXPECT_EQ(text("deleted/search/flag=D/games.pgn"), text("deleted/all.pgn"));
  EXPECT_EQ(text("search/flag=D/games.pgn"), "");
  options_.database.show_deleted = true;
  open(tests::test_data("sample/sample.si4"));
  EXPECT_EQ(text("search/flag=D/games.pgn"), text("deleted/all.pgn"));
  EXPECT_THAT(lines_of(text("search/flag=D/index.tsv"))[1], HasSubstr("games/"));
}

TEST_F(SetDirectoriesTest, QueryKeepsInodeNumberDespiteOtherQueries) {
  const std::string path = "search/eco=B/year=2018";
  const Inode directory = inode(path);
  const Inode file = inode(path + "/games.pgn");
  const std::string games = text(path + "/games.pgn");
  const Inode search = inode("search");
  int asked = 0;
  const auto ask_others = [&](int count) {
    for (const int last = asked + count; asked < last; ++asked) {
      ASSERT_TRUE(
          tree_->lookup(search, fmt::format("number={}", asked + 1), tests::unlimited_budget())
              .ok());
    }
  };
  ask_others(30'000);
  EXPECT_LT(library_->searches().queries.size(), 30'000U);
  for (const Inode number : {directory, file}) {
    EXPECT_EQ(tree_->attributes(number, tests::unlimited_budget())->inode, number);
  }
  EXPECT_EQ(tree_->lookup(directory, "games.pgn", tests::unlimited_budget())->attributes.inode,
            file);

  // It becomes stale, until it is looked up again.
  ask_others(150'000);
  for (const Inode number : {directory, file}) {
    EXPECT_TRUE(
        absl::IsFailedPrecondition(tree_->attributes(number, tests::unlimited_budget()).status()));
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(
      tree_->lookup(directory, "games.pgn", tests::unlimited_budget()).status()));
  EXPECT_EQ(text(path + "/games.pgn"), games);
  EXPECT_EQ(inode(path), directory);
  EXPECT_EQ(tree_->attributes(file, tests::unlimited_budget())->inode, file);
}

TEST_F(SetDirectoriesTest, TooLongQueryIsRefusedWithReason) {
  std::string path = "search/eco=B";
  const Inode first = inode(path);
  int facets = 1;
  for (; find(path + "/search/eco=B").ok() && facets < 215; ++facets) path += "/search/eco=B";
  EXPECT_EQ(facets, 32);
  for (const char* const name :
       {"/search/eco=B", "/year=2018", "/tree", "/positions/8-8-8-3k4-8-3K4-3P4-8_b"}) {
    EXPECT_TRUE(absl::IsOutOfRange(find(path + name).status())) << name;
  }
  EXPECT_THAT(text("status.txt"),
              HasSubstr("no query: year=2018: the query is too long, more than 32 "));
  EXPECT_THAT(names(path), Contains("games.pgn"));
  EXPECT_THAT(names(path + "/search"), ElementsAre("README.txt"));
  EXPECT_EQ(inode("search/eco=B"), first);

  path = "tree";
  while (find(path + "/Nf3/Nf6/Ng1/Ng8").ok()) path += "/Nf3/Nf6/Ng1/Ng8";
  EXPECT_GT(path.size(), 2000U);
  EXPECT_TRUE(absl::IsOutOfRange(find(path + "/Nf3/Nf6/Ng1/Ng8").status()));
  EXPECT_THAT(text("status.txt"), HasSubstr("the query is too long, more than 2048 bytes"));
  EXPECT_EQ(text(path + "/moves.txt").empty(), false);
}

TEST_F(SetDirectoriesTest, QueryIsRepeatedAfterDatabaseChange) {
  put("mega", example_database(100, 1).files());
  open(source_);
  const std::string path = "mega.si4/search/white=White_1";
  const Inode directory = inode(path);
  const Inode file = inode(path + "/games.pgn");
  const std::string games = text(path + "/games.pgn");
  const std::string summary = text(path + "/summary.txt");
  put("mega", example_database(200, 2).files());
  ASSERT_TRUE(library_->rescan().changed);
  tree_->renew();
  EXPECT_EQ(inode(path), directory);
  EXPECT_NE(inode(path + "/games.pgn"), file);
  EXPECT_NE(text(path + "/games.pgn"), games);
  EXPECT_NE(text(path + "/summary.txt"), summary);
  // Readers of the old file can read it to its end.
  EXPECT_EQ(*read(file), games);
}

// For any known sizes and earlier queries.
TEST_F(SetDirectoriesTest, ResultsDoNotDependOnCaches) {
  const std::vector<std::string> paths = {
      "search/eco=B/year=2018/games.pgn", "search/player=C*/opponents.tsv", "players.tsv",
      "eco/B/search/text=mate*/summary.txt", "search/plies=..40/openings.tsv"};
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(text(path));
  options_.index = IndexMode::None;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{2000}, std::size_t{1} << 20}) {
    options_.answer_bytes = bytes;
    open(tests::test_data("sample/sample.si4"));
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < paths.size(); ++i)
        EXPECT_EQ(text(paths[i]), texts[i]) << paths[i];
    }
    EXPECT_LE(library_->searches().results.counters().bytes, bytes);
  }
}

// Long work is refused on the threads that receive requests.
TEST_F(SetDirectoriesTest, LimitedBudgetDecodesFewGames) {
  const Inode search = inode("search");
  const auto quick = [&](std::string_view facet, std::string_view file) {
    const absl::StatusOr<Entry> answer = tree_->lookup(search, facet, WorkBudget::limited(0));
    EXPECT_TRUE(answer.ok()) << answer.status();
    return tree_->lookup(answer->attributes.inode, file, WorkBudget::limited(0)).status();
  };
  EXPECT_TRUE(absl::IsUnavailable(quick("text=mate", "index.tsv")));
  EXPECT_TRUE(absl::IsUnavailable(quick("plies=..40", "games.pgn")));
  EXPECT_TRUE(absl::IsUnavailable(quick("player=C*", "opponents.tsv")));
}

TEST_F(SetDirectoriesTest, QueriesHaveDifferentGenerations) {
  const auto generation = [this](std::string_view path) {
    return find(path)->attributes.generation;
  };
  EXPECT_NE(generation("search/eco=B"), generation("search/eco=C"));
  const std::uint32_t before = generation("search/eco=B");
  open(tests::test_data("sample/sample.si4"));
  EXPECT_EQ(generation("search/eco=B"), before);
}

// With names of openings that cover the sample.
class OpeningDirectoriesTest : public LibraryTest {
 protected:
  void SetUp() override {
    auto reference = std::make_shared<Reference>();
    reference->fingerprint = 1;
    reference->openings = std::make_shared<const OpeningNames>(
        "A00 \"Start\" *\n"
        "C20 \"Open Game\" 1.e4 e5 *\n"
        "C51 \"Open Game: Italian \\ \\, Evans\" 1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.b4 *\n"
        "B01 \"Not played: ever\" 1.h4 d5 2.h5 *\n");
    options_.database.reference = reference;
    options_.database.pgn.opening = true;
    open(tests::test_data("sample/sample.si4"));
  }
};

TEST_F(OpeningDirectoriesTest, AreSets) {
  EXPECT_THAT(names(""), Contains("openings"));
  EXPECT_THAT(names("openings"),
              ElementsAre("index.tsv", "summary.txt", "codes.tsv", "Open_Game", "Start"));
  const std::string evans = "openings/Open_Game/Italian_%5C_%5C/Evans";
  EXPECT_THAT(names(evans), ElementsAre("games.pgn", "index.tsv", "summary.txt", "codes.tsv"));
  EXPECT_TRUE(exists("openings/Not_played/ever/games.pgn"));
  EXPECT_EQ(text("openings/Not_played/ever/games.pgn"), "");
  EXPECT_FALSE(exists("openings/Open"));
  EXPECT_FALSE(exists("openings/Open_Game/Evans"));
  EXPECT_EQ(text(evans + "/games.pgn"), text("search/opening=evans/games.pgn"));
  EXPECT_EQ(text(evans + "/search/result=1-0/index.tsv"),
            text("search/result=1-0/opening=Open_Game*Evans/index.tsv"));
  EXPECT_THAT(text(evans + "/summary.txt"), HasSubstr("Open Game: Italian \\ \\, Evans\n"));
  EXPECT_THAT(text("search/README.txt"), HasSubstr("\n  opening "));
}

TEST_F(OpeningDirectoriesTest, NamesAreShownBesideCodes) {
  EXPECT_THAT(text("openings.tsv"), HasSubstr("\nC51\tOpen Game: Italian \\ \\, Evans\t"));
  EXPECT_THAT(text("summary.txt"), HasSubstr("\n  C51 Open Game: Italian"));
  EXPECT_THAT(text("index.tsv"), HasSubstr("\tOpen Game: Italian \\ \\, Evans\t18"));
  EXPECT_THAT(text("tree/e4/board.txt"), HasSubstr("\nOpening Start\n"));
  EXPECT_THAT(text("tree/e4/e5/Nf3/board.txt"), HasSubstr("\nOpening Open Game\n"));
  EXPECT_THAT(text("tree/e4/moves.txt"), HasSubstr("\nOpenings\n  e5      Open Game\n"));
  EXPECT_THAT(text("eco/C/C51.pgn"),
              HasSubstr("[ECO \"C51\"]\n[Opening \"Open Game: Italian \\\\ \\\\, Evans\"]\n"));
}

TEST_F(OpeningDirectoriesTest, InvariantsOfTreeHold) {
  EXPECT_THAT(tests::walk_library(*library_).faults, testing::IsEmpty());
}

}  // namespace
}  // namespace scidfs::fs
