// Names in games that mean nothing, or that directories have of their own; sites that are
// addresses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string game(std::string_view event, std::string_view site, std::string_view white,
                 std::string_view black) {
  return fmt::format(
      "[Event \"{}\"]\n[Site \"{}\"]\n[Date \"2024.01.02\"]\n[White \"{}\"]\n[Black \"{}\"]\n"
      "[Result \"1-0\"]\n\n1. e4 1-0\n\n",
      event, site, white, black);
}

class OddNamesTest : public PgnLibraryTest {
 protected:
  // Begins a mount, and has some files read, so that together/ has them.
  void open(const std::vector<std::string>& files) {
    PgnLibraryTest::open();
    for (const std::string& file : files) EXPECT_FALSE(text(file + "/info.txt").empty());
    rescan();
  }
  // The column of a table that the header names.
  std::vector<std::string> column(const std::string& path, std::string_view name) const {
    const std::string table = text(path);
    const std::vector<std::string> header = tests::split(table.substr(0, table.find('\n')), '\t');
    const auto place = static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
    std::vector<std::string> fields;
    for (const auto& row : tests::rows_of(table)) fields.push_back(row.at(place));
    return fields;
  }
};

TEST_F(OddNamesTest, NamesOfPagesHideNoPage) {
  std::string games;
  for (const char* const name : {"index.html", "Style.css", "board.js", "icon.svg", "INDEX.HTML"}) {
    games += game("Cup", "Here", name, "Other");
  }
  put("x.pgn", games);
  put("y.pgn", game("Cup", "Here", "index.html", "Other"));
  open({"x.pgn", "y.pgn"});
  for (const std::string database : {"x.pgn", "y.pgn", "together"}) {
    SCOPED_TRACE(database);
    // Groups of together/ have no pages.
    for (const std::string shard : {"in", ""}) {
      if (database == "together") continue;
      const std::string directory = database + "/players/" + shard + (shard.empty() ? "" : "/");
      EXPECT_THAT(text(directory + "index.html"), StartsWith("<!DOCTYPE html>"));
      EXPECT_EQ(text(directory + "style.css"), text("style.css"));
    }
    EXPECT_THAT(names(database + "/players/in"), Not(Contains("index.html")));
    for (const std::string& path : column(database + "/players.tsv", "path")) {
      EXPECT_TRUE(exists(database + "/" + path + "/all.pgn")) << path;
      EXPECT_TRUE(exists(database + "/players/" + path.substr(path.rfind('/') + 1))) << path;
    }
  }
  EXPECT_THAT(column("together/players.tsv", "games"), Contains("2"));
  EXPECT_EQ(names("x.pgn/players/in").size(), 2U);
  EXPECT_EQ(names("together/players/in").size(), 2U);
}

TEST_F(OddNamesTest, UnknownNamesAreOne) {
  put("x.pgn", game("?", "", "?", "A") + game("", "?", "", "B") + game("", "", "A", "?") +
                   game("?", "?", "B", ""));
  put("y.pgn", game("", "", "", "A"));
  put("z.pgn", game("?", "?", "?", "A"));
  open({"x.pgn", "y.pgn", "z.pgn"});
  for (const auto& [database, games] :
       {std::pair<std::string, std::string>("x.pgn", "4"), {"together", "6"}}) {
    SCOPED_TRACE(database);
    EXPECT_THAT(column(database + "/players.tsv", "name"),
                testing::UnorderedElementsAre("_unknown", "A", "B"));
    EXPECT_THAT(column(database + "/players.tsv", "games"), Contains(games));
    EXPECT_THAT(names(database + "/players/_u"), ElementsAre("_unknown"));
    EXPECT_THAT(column(database + "/events.tsv", "games"), ElementsAre(games));
    EXPECT_THAT(names(database + "/events/2024"), ElementsAre("_unknown--_unknown"));
    EXPECT_FALSE(exists(database + "/players/_unknown~1"));
  }
}

TEST_F(OddNamesTest, AddressesOfGamesAreOneSiteOfAnEvent) {
  std::string games;
  for (const char* const site :
       {"https://lichess.org/abcdefgh", "https://lichess.org/ijklmnop", "lichess.org",
        "HTTP://user@lichess.org:8080/x?y=1", "https://lichess.org"}) {
    games += game("Arena", site, "A", "B");
  }
  games += game("Arena", "https://chess.com/1", "A", "B") + game("Arena", "http://", "A", "B");
  put("x.pgn", games);
  put("y.pgn", game("Arena", "https://lichess.org/other", "A", "B"));
  open({"x.pgn", "y.pgn"});
  EXPECT_THAT(column("x.pgn/events.tsv", "site"),
              ElementsAre("chess.com", "http://", "lichess.org"));
  EXPECT_THAT(column("x.pgn/events.tsv", "games"), ElementsAre("1", "1", "5"));
  EXPECT_THAT(column("together/events.tsv", "games"), ElementsAre("1", "1", "6"));
  for (const std::string database : {"x.pgn", "together"}) {
    const std::string event = database + "/events/2024/Arena--lichess.org/";
    EXPECT_THAT(text(event + "crosstable.txt"), StartsWith("Arena\nlichess.org, 2024.01.02\n"));
    EXPECT_THAT(text(event + "games.pgn"), HasSubstr("[Site \"https://lichess.org/ijklmnop\"]"));
    EXPECT_THAT(column(database + "/events.tsv", "path"),
                Contains("events/2024/Arena--lichess.org"));
  }
}

}  // namespace
}  // namespace scidfs::fs
