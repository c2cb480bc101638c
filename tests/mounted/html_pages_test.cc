// Pages in a mount: followed from link to link, and held against HTML and the tables beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string run_check(const std::string& words) {
  const std::string script = source_path("tests/mounted/check_pages.py").string();
  const Outcome outcome = run("/usr/bin/python3 " + shell_word(script) + " " + words, 240);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.errors;
  return outcome.out;
}

std::string check(const std::filesystem::path& mount, unsigned most,
                  const std::string& first = "") {
  return run_check(shell_word(mount.string()) + " " + std::to_string(most) + " " + first);
}

// A strict parser of HTML reads pages of all kinds of all fixtures, damaged ones too.
TEST(HtmlPagesTest, PagesOfAllFixturesAreValid) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  check(mount.path(), 800);
  const std::string others =
      check(mount.path(), 200, "kvetka/index.html") + check(mount.path(), 200, "scv/index.html");
  for (const std::string kind :
       {" kvetka/small.kob/index.html", " kvetka/small.kob/fen/index.html",
        " kvetka/small.kob/fen/*.html", " scv/ok-multi.scv/index.html",
        " scv/ok-multi.scv/files/index.html", " scv/ok-multi.scv/tiny.si4/index.html"}) {
    EXPECT_THAT(others, HasSubstr(kind));
  }
  const std::string kinds = check(mount.path(), 700,
                                  "sample/sample.si4/index.html "
                                  "sample/sample.si4/players/ka/Kasparov,_Gary/index.html");
  for (const std::string kind :
       {"/games/*/N.html", "/players/*/*/index.html", "/events/*/*/index.html",
        "/years/*/index.html", "/tree/*/index.html", "/positions/*/index.html",
        "/search/eco=/index.html", "/against/index.html", "/deleted/*/index.html",
        "/deleted/*/N.html"}) {
    EXPECT_THAT(kinds, HasSubstr(kind));
  }
  EXPECT_THAT(kinds, ContainsRegex(" [1-9][0-9]* curves, 0 faults"));
}

// So a copy of the mount is a web site without dead ends but those that the manual names.
TEST(HtmlPagesTest, PagesAreListedOnDemand) {
  const Mount mount({.source = test_data("sample"), .options = "pages=list"});
  ASSERT_TRUE(mount.ok());
  const std::string kinds = run_check("--listed " + shell_word(mount.path().string()));
  for (const std::string kind : {"/games/*/N.html", "/deleted/*/N.html", "/players/*/*/index.html",
                                 "/tree/*/index.html", "/fens/*/index.html"}) {
    EXPECT_THAT(kinds, HasSubstr(kind));
  }
  EXPECT_TRUE(std::filesystem::exists(mount / "robots.txt"));
  EXPECT_THAT(run_ok("ls " + shell_word(mount.path().string())), HasSubstr("robots.txt"));
}

// A folder with one source of each kind that is no database of Scid, whole and refused.
class KindsOfSourcesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n";
    const std::string refused(
        "\xFD"
        "7zXZ\0 no such header",
        22);
    std::filesystem::create_directory(source_);
    write_file(source_ / "whole.pgn", game);
    write_file(source_ / "refused.pgn.xz", refused);
    run_ok("cd " + shell_word(source_.string()) +
           " && python3 -m zipfile -c both.zip whole.pgn refused.pgn.xz");
    std::filesystem::copy(test_data("scv/ok-pgn.scv"), source_ / "both.scv");
    std::filesystem::create_directory(source_ / "books");
    std::filesystem::copy(test_data("kvetka/small_0.kob"), source_ / "books");
    make_old(source_);
  }
  // Mounts a source, which must have a page that is listed.
  static void expect_pages(const std::filesystem::path& source, const std::string& first) {
    SCOPED_TRACE(source);
    const Mount mount({.source = source});
    ASSERT_TRUE(mount.ok());
    EXPECT_THAT(run_ok("ls " + shell_word(mount.path().string())), HasSubstr("index.html"));
    check(mount.path(), 300, first);
    const Mount listed({.source = source, .options = "pages=list"});
    ASSERT_TRUE(listed.ok());
    run_check("--listed " + shell_word(listed.path().string()));
    const Mount without({.source = source, .options = "pages=no"});
    ASSERT_TRUE(without.ok());
    EXPECT_EQ(run_ok("cd " + shell_word(without.path().string()) +
                     " && find . -name '*.html' -o -name '*.css' -o -name '*.js'; ls index.html "
                     "*/index.html 2> /dev/null; true"),
              "");
  }

  const TemporaryFolder folder_;
  const std::filesystem::path source_ = folder_.path() / "source";
};

TEST_F(KindsOfSourcesTest, EachDirectoryThatAPageLinksHasAPage) {
  expect_pages(source_,
               "index.html both.zip/index.html both.zip/refused.pgn.xz/index.html "
               "refused.pgn.xz/index.html both.scv/index.html whole.pgn/index.html "
               "books/index.html");
}

TEST_F(KindsOfSourcesTest, EachKindHasAPageAsMountPoint) {
  for (const std::string name :
       {"whole.pgn", "refused.pgn.xz", "both.zip", "both.scv", "books/small_0.kob"}) {
    expect_pages(source_ / name, "index.html");
  }
}

// Two letters tell readers nothing.
TEST(HtmlPagesTest, PagesOfPlayersAndEventsFindAndRank) {
  const Mount mount({.source = test_data("sample")});
  ASSERT_TRUE(mount.ok());
  check(mount.path(), 4, "sample.si4/players/index.html sample.si4/events/index.html");
  const std::string players = read_file(mount / "sample.si4/players/index.html");
  EXPECT_THAT(players, ContainsRegex("<form data-search=\"\\.\\./search\"><label>Player <input "
                                     "name=\"player\" placeholder=\"Carlsen\\*\">"));
  EXPECT_THAT(players, ContainsRegex("<h2>Most games</h2><ul class=\"entries\"><li><a href="
                                     "\"[a-z_]+/[^/]+/index.html\">[^<]+</a> [0-9]+ games</li>"));
  EXPECT_THAT(players, HasSubstr("<h2>By first letters</h2><ul class=\"entries\"><li><a href=\""));
  const std::string events = read_file(mount / "sample.si4/events/index.html");
  EXPECT_THAT(events, HasSubstr("<input name=\"event\" placeholder=\"*Candidates*\">"));
  EXPECT_THAT(events, ContainsRegex("<h2>Most games</h2><ul class=\"entries\"><li><a href="
                                    "\"[0-9]+/[^/]+/index.html\">[^<]+</a> [0-9]+ games</li>"));
  EXPECT_THAT(read_file(mount / "index.html"),
              ContainsRegex("<a href=\"sample.si4/index.html\">sample.si4</a> 1,602 games, "
                            "[0-9]{4}–[0-9]{4}, [0-9.]+ MB</li>"));
}

// Listings stay as they are: programs that read whole folders meet no page but the first.
TEST(HtmlPagesTest, OnlyTheMountPointListsItsPage) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(run_ok("ls " + shell_word(mount.path().string())), HasSubstr("index.html"));
  const std::string below = run_ok("cd " + shell_word((mount / "sample").string()) +
                                   " && find . -name '*.html' -o -name '*.svg' -o -name '*.js'");
  EXPECT_EQ(below, "");
  const Mount database({.source = sample_database()});
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(run_ok("cd " + shell_word(database.path().string()) +
                   " && find . -name '*.html' -o -name '*.css' -o -name '*.js'"),
            "./index.html\n");
}

// A page depends on its path: each name of a directory has links of its own.
TEST(HtmlPagesTest, LinksFitEachNameOfAGame) {
  const Mount mount({.source = test_data("sample")});
  ASSERT_TRUE(mount.ok());
  const std::string database = run_ok("ls -d " + shell_word(mount.path().string()) + "/*/games");
  ASSERT_FALSE(database.empty());
  const std::filesystem::path games = database.substr(0, database.find('\n'));
  const std::string name = games.parent_path().filename();
  check(mount.path(), 3, name + "/games/1.html " + name + "/games/00000/1.html");
  const std::string above = read_file(games / "1.html");
  const std::string within = read_file(games / "00000" / "1.html");
  for (const std::string target : {"positions/", "events/", "players/"}) {
    EXPECT_THAT(above, HasSubstr("href=\"../" + target));
    EXPECT_THAT(within, HasSubstr("href=\"../../" + target));
  }
  EXPECT_THAT(above, HasSubstr("href=\"../games/index.html"));
  EXPECT_THAT(within, HasSubstr("href=\"../00000/index.html"));
}

}  // namespace
}  // namespace scidfs::tests
