// Pages in a mount: followed from link to link, and held against HTML and the tables beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

using ::testing::HasSubstr;

std::string check(const std::filesystem::path& mount, unsigned most,
                  const std::string& first = "") {
  const std::string script = source_path("tests/mounted/check_pages.py").string();
  const Outcome outcome =
      run("/usr/bin/python3 " + shell_word(script) + " " + shell_word(mount.string()) + " " +
              std::to_string(most) + " " + first,
          240);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.errors;
  return outcome.out;
}

// A strict parser of HTML reads pages of all kinds of all fixtures, damaged ones too.
TEST(HtmlPagesTest, PagesOfAllFixturesAreValid) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  check(mount.path(), 800);
  const std::string kinds = check(mount.path(), 700, "sample/sample.si4/index.html");
  for (const std::string kind :
       {"/games/N.html", "/players/*/*/index.html", "/events/*/*/index.html", "/years/*/index.html",
        "/tree/*/index.html", "/positions/*/index.html", "/search/eco=/index.html"}) {
    EXPECT_THAT(kinds, HasSubstr(kind));
  }
}

// Listings stay as they are: programs that read whole folders meet no page but the first.
TEST(HtmlPagesTest, OnlyTheMountPointListsItsPage) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(run_ok("ls " + shell_word(mount.path().string())), HasSubstr("index.html"));
  const std::string below = run_ok("cd " + shell_word((mount / "sample").string()) +
                                   " && find . -name '*.html' -o -name '*.svg' -o -name '*.js'");
  EXPECT_EQ(below, "");
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
  EXPECT_THAT(read_file(games / "1.html"), HasSubstr("href=\"../positions/"));
  EXPECT_THAT(read_file(games / "00000" / "1.html"), HasSubstr("href=\"../../positions/"));
}

}  // namespace
}  // namespace scidfs::tests
