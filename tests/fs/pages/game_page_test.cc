#include "fs/pages/game_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fs/tables/paths.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/html_check.h"
#include "tests/support/xml_check.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using testing::HasSubstr;
using testing::Not;

class GamePageTest : public SetsTest {
 protected:
  static std::string page_of(const Database& database, GameIndex game, Part part = Part::Shown) {
    const std::vector<Crumb> crumbs = {{.name = "above", .link = Link().up(2).page()}};
    const auto page = game_page(database, game, part, crumbs, 1);
    EXPECT_TRUE(page.ok()) << page.status();
    EXPECT_EQ(tests::html_fault(page.value_or("")), "");
    return page.value_or("");
  }
  // A link to a path of the database, as pages write it.
  static std::string link_to(const std::string& path) {
    return "href=\"" + Link().up(1).path(path).page().text() + '"';
  }
  static tests::ScidFilesBuilder builder_of_names() {
    tests::ScidFilesBuilder builder;
    for (const NameKind kind :
         {NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    return builder;
  }
  static tests::ScidFiles four_games() {
    return files_of({
        {"Tal, M", "Keres", 2700, 2690, Result::WhiteWins, {1960, 3, 15}},
        {"Ghost", "Keres", 0, 0, Result::Draw, {1960}, 0, 0, true},
        {"Keres", "Tal, M", 0, 2710, Result::Draw, {1961}},
        {"Ghost", "Keres", 0, 0, Result::Draw, {1999}, 0, 0, true},
    });
  }
};

TEST_F(GamePageTest, LinksToPlayersEventAndNeighbors) {
  const Shared database = open(four_games());
  const std::string page = page_of(*database, 0);
  for (const std::string_view name : {"Tal, M", "Keres"}) {
    std::string path;
    append_player_path(*database, player_of(*database, name), path);
    EXPECT_THAT(page, HasSubstr(link_to(path)));
  }
  EXPECT_THAT(page, HasSubstr(link_to("events/1960/x--x")));
  EXPECT_THAT(page, HasSubstr("<a href=\"../../index.html\">above</a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"../games/00000/3.html\">next game"));
  EXPECT_THAT(page, HasSubstr("-1-0.pgn\">PGN</a>"));
  EXPECT_THAT(page, Not(HasSubstr("game before")));
  const std::string last = page_of(*database, 2);
  EXPECT_THAT(last, HasSubstr("<a href=\"../games/00000/1.html\">← game before"));
  EXPECT_THAT(last, Not(HasSubstr("next game")));
}

TEST_F(GamePageTest, DeletedGamesHaveDeletedNeighborsAndNoDirectories) {
  const Shared database = open(four_games());
  const std::string page = page_of(*database, 1, Part::Deleted);
  EXPECT_THAT(page, HasSubstr("<a href=\"../deleted/00000/4.html\">next game"));
  EXPECT_THAT(page, Not(HasSubstr("game before")));
  EXPECT_THAT(page, Not(HasSubstr("../players/")));
  EXPECT_THAT(page, Not(HasSubstr("../events/")));
}

// The page and the picture are made by two walks over the record.
TEST_F(GamePageTest, PictureShowsTheLastPositionOfThePage) {
  tests::Random random(1);
  tests::ScidFilesBuilder builder = builder_of_names();
  constexpr GameIndex kRandomGames = 50;
  for (GameIndex game = 0; game < kRandomGames; ++game) {
    tests::RandomGameOptions options{.plies = random.below(80)};
    if (random.one_in(3)) options.fen = tests::example_fens()[game % tests::example_fens().size()];
    builder.game({}, tests::random_game(random, options).record());
  }
  builder.game({}, tests::ScidEncoder().moves("e4 e5 Nf3").record());
  const Shared database = open(builder.files());
  const auto title_of = [&](GameIndex game) {
    const auto picture = game_picture(*database, game, whole());
    EXPECT_TRUE(picture.ok()) << picture.status();
    const tests::ParsedXml xml = tests::parse_xml(picture.value_or(""));
    return xml.find("title") == nullptr ? "no title" : xml.find("title")->text;
  };
  for (GameIndex game = 0; game < kRandomGames; ++game) {
    EXPECT_THAT(page_of(*database, game), HasSubstr("aria-label=\"" + title_of(game) + '"'));
  }
  EXPECT_THAT(title_of(kRandomGames), HasSubstr(" Nf3 Nb1 Pe4"));
}

TEST_F(GamePageTest, GlyphsStayWithTheirMoveAndMarksLeaveTheirComment) {
  tests::ScidFilesBuilder builder = builder_of_names();
  builder.game({}, tests::ScidEncoder()
                       .moves("e4")
                       .nag(5)
                       .nag(16)
                       .comment("[%csl Ge4][%cal Ge2e4] best [%clk 0:01:00]")
                       .moves("e5")
                       .begin_variation()
                       .moves("c5")
                       .end_variation()
                       .moves("Nf3")
                       .record());
  const std::string page = page_of(*open(builder.files()), 0);
  EXPECT_THAT(page,
              HasSubstr(">1.e4</a><span class=\"nag\">⁉</span>\u00A0<span class=\"nag\">±</span> "
                        "<span class=\"comment\" data-of=\"m1\" data-marks=\"Ge4 Ge2e4\">"
                        "best [%clk 0:01:00]</span> <a id=\"m2\""));
  EXPECT_THAT(page, HasSubstr(" <span class=\"variation\">(<a id=\"m3\""));
  EXPECT_THAT(page, HasSubstr("data-squares=\"g1f3\""));
}

TEST_F(GamePageTest, TagsStandBehindTheMovesAndTheTextOfTheGameIsThere) {
  const Shared database = open(four_games());
  const std::string page = page_of(*database, 0);
  const std::size_t moves = page.find("class=\"moves\"");
  const std::size_t tags = page.find("class=\"tags\"");
  EXPECT_LT(moves, tags);
  EXPECT_NE(tags, std::string::npos);
  EXPECT_THAT(page, HasSubstr("id=\"pgn\" tabindex=\"0\">[Event &quot;x&quot;]\n"));
  EXPECT_THAT(page, HasSubstr("White to move"));
}

TEST_F(GamePageTest, PictureOfARecordWithoutAStartIsTheStandardPosition) {
  tests::ScidFilesBuilder builder = builder_of_names();
  builder.game({}, std::string(3, '\x01'));
  const Shared database = open(builder.files());
  const auto picture = game_picture(*database, 0, whole());
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_THAT(*picture, HasSubstr("White: Ke1 Qd1 Ra1"));
}

}  // namespace
}  // namespace scidfs::fs
