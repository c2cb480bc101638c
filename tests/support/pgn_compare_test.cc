// The comparer must detect each kind of difference, because other tests rely on it.
#include "tests/support/pgn_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/pgn_check.h"

namespace scidfs::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kTags =
    "[Event \"E\"]\n[Site \"S\"]\n[Date \"2000.01.01\"]\n[Round \"1\"]\n[White \"W\"]\n"
    "[Black \"B\"]\n[Result \"1-0\"]\n";

std::string game(std::string_view movetext, std::string_view tags = "") {
  return std::string(kTags).append(tags).append("\n").append(movetext).append("\n\n");
}

std::vector<PgnAspect> aspects(const std::vector<PgnDifference>& differences) {
  std::vector<PgnAspect> found;
  for (const PgnDifference& difference : differences) found.push_back(difference.aspect);
  return found;
}

std::vector<PgnAspect> compare(std::string_view ours, std::string_view reference) {
  return aspects(compare_pgn(game(ours), game(reference)));
}

std::vector<PgnAspect> compare_tags(std::string_view ours, std::string_view reference,
                                    bool scid = true) {
  return aspects(
      compare_pgn(game("1-0", ours), game("1-0", reference), PgnCompareOptions{.scid = scid}));
}

TEST(PgnCompare, IgnoresLayout) {
  EXPECT_THAT(
      compare("1.e4 e5 2.Nf3 {a  b} (2.f4) 1-0", "1. e4 1... e5\n2. Nf3 { a\nb } ( 2. f4 )\n1-0"),
      IsEmpty());
}

TEST(PgnCompare, FindsEachKindOfDifference) {
  constexpr std::string_view kGame = "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5 1-0";
  EXPECT_THAT(compare(kGame, kGame), IsEmpty());
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e6 1-0"),
              ElementsAre(PgnAspect::Moves));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5+ 1-0"),
              ElementsAre(PgnAspect::Moves));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d6) e5 1-0"),
              ElementsAre(PgnAspect::Variations));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4) (d5) e5 1-0"),
              ElementsAre(PgnAspect::Variations));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $2 $14 {a} (1.d4 d5) e5 1-0"), ElementsAre(PgnAspect::Nags));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $14 $1 {a} (1.d4 d5) e5 1-0"), ElementsAre(PgnAspect::Nags));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 {a} (1.d4 d5) e5 $14 1-0"), ElementsAre(PgnAspect::Nags));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {A} (1.d4 d5) e5 1-0"),
              ElementsAre(PgnAspect::Comments));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 ({a} 1.d4 d5) e5 1-0"),
              ElementsAre(PgnAspect::Comments));
  EXPECT_THAT(compare(kGame, "1.e4 $1 $14 {a} (1.d4 d5) e5 1-0"), ElementsAre(PgnAspect::Comments));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5 0-1"),
              ElementsAre(PgnAspect::Result));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5"), ElementsAre(PgnAspect::Result));
  EXPECT_THAT(compare(kGame, "{x} 2.e4 $1 $14 {a} (1.d4 d5) e5 1-0"),
              ElementsAre(PgnAspect::Numbers));
  EXPECT_THAT(compare(kGame, "{x} 1...e4 $1 $14 {a} (1.d4 d5) e5 1-0"),
              ElementsAre(PgnAspect::Numbers));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 {a} $1 $14 (1.d4 d5) e5 1-0"),
              ElementsAre(PgnAspect::Order));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5 ! 1-0"),
              ElementsAre(PgnAspect::Unknown));
  EXPECT_THAT(compare(kGame, "{x} 1.e4 $1 $14 {a} (1.d4 d5) e5 2. 1-0"),
              ElementsAre(PgnAspect::Unknown));
  EXPECT_THAT(compare("1.e4 {a} 1-0", "1.e4 {a 1-0"), ::testing::Contains(PgnAspect::Unknown));
}

TEST(PgnCompare, ComparesTagsInAnyOrder) {
  EXPECT_THAT(compare_tags("[A \"1\"]\n[B \"2\"]\n", "[B \"2\"]\n[A \"1\"]\n", false), IsEmpty());
  EXPECT_THAT(compare_tags("[A \"1\"]\n", "[A \"2\"]\n", false), ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[A \"1\"]\n", "", false), ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[A \"1\"]\n[A \"1\"]\n", "[A \"1\"]\n", false),
              ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[A \"1]\n", "", false), ElementsAre(PgnAspect::Tags));
}

TEST(PgnCompare, IgnoresIntendedDifferencesFromScid) {
  EXPECT_THAT(compare_tags(R"([A "a\"b\\c"])"
                           "\n",
                           R"([A "a"b\c"])"
                           "\n"),
              IsEmpty());
  EXPECT_THAT(compare_tags(R"([A "a\"b\\c"])"
                           "\n",
                           R"([A "a\"b\\c"])"
                           "\n"),
              ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[SetUp \"1\"]\n[FEN \"f\"]\n", "[FEN \"f\"]\n"), IsEmpty());
  EXPECT_THAT(compare_tags("[FEN \"f\"]\n", "[FEN \"f\"]\n"), ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[SetUp \"1\"]\n", ""), ElementsAre(PgnAspect::Tags));
  // Byte 0x82, raw and as Scid converts it to UTF-8; a control character; Latin-1.
  EXPECT_THAT(compare_tags("[A \"\xE2\x80\x9A\"]\n", "[A \"\x82\"]\n"), IsEmpty());
  EXPECT_THAT(compare_tags("[A \"\xE2\x80\x9A\"]\n", "[A \"\xC2\x82\"]\n"), IsEmpty());
  EXPECT_THAT(compare_tags("[A \"\xC3\xA9\"]\n", "[A \"\xE9\"]\n"), IsEmpty());
  EXPECT_THAT(compare_tags("[A \"\xC3\xA9\"]\n", "[A \"\xE8\"]\n"), ElementsAre(PgnAspect::Tags));
  EXPECT_THAT(compare_tags("[A \"x y\"]\n", "[A \"x\x06y\"]\n"), IsEmpty());
  EXPECT_THAT(compare_tags("[A \"xy\"]\n", "[A \"x\x06y\"]\n"), ElementsAre(PgnAspect::Tags));

  const auto unknown_event = [](std::string_view value) {
    std::string text = game("1-0");
    return text.replace(text.find("\"E\""), 3, value);
  };
  const PgnCompareOptions scid{.scid = true};
  EXPECT_THAT(compare_pgn(unknown_event("\"?\""), unknown_event("\"\""), scid), IsEmpty());
  EXPECT_EQ(compare_pgn(unknown_event("\"?\""), unknown_event("\"\"")).size(), 1u);
  EXPECT_EQ(compare_pgn(unknown_event("\"\""), unknown_event("\"?\""), scid).size(), 1u);

  EXPECT_THAT(compare_pgn(game("1.e4 e5 1-0"), game("1.e4 ( ) 1...e5 ( ) 1-0"), scid), IsEmpty());
  EXPECT_THAT(compare_pgn(game("1.e4 e5 1-0"), game("1.e4 ( ( ) ) 1...e5 1-0"), scid), IsEmpty());
  EXPECT_EQ(compare_pgn(game("1.e4 () 1...e5 1-0"), game("1.e4 e5 1-0"), scid).size(), 1u);
  EXPECT_NE(compare_pgn(game("1.e4 e5 1-0"), game("1.e4 ({a}) 1...e5 1-0"), scid).size(), 0u);
}

TEST(PgnCompare, ReportsGameNumbersAndStopsAtLimit) {
  const std::string right = game("1.e4 1-0");
  const std::string wrong = game("1.d4 1-0");
  const auto differences = compare_pgn(right + right + wrong, right + wrong + right);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].game, 2u);
  EXPECT_EQ(differences[1].game, 3u);
  EXPECT_EQ(aspects(compare_pgn(right + right, right)), (std::vector{PgnAspect::Games}));
  EXPECT_EQ(aspects(compare_pgn(right, right + right)), (std::vector{PgnAspect::Games}));
  EXPECT_EQ(compare_pgn(right + right, wrong + wrong, PgnCompareOptions{.limit = 1}).size(), 1u);
}

TEST(PgnParse, SplitsTextIntoGames) {
  const std::string text = game("{a\n[Event \"x\"]\n} 1.e4 1-0") + game("1-0") + game("*");
  const std::vector<PgnGame> games = parse_pgn(text);
  ASSERT_EQ(games.size(), 3u);
  EXPECT_EQ(games[0].tags.size(), 7u);
  EXPECT_EQ(parse_movetext(games[0].movetext)[1].text, "e4");
  std::string all;
  for (const PgnGame& one : games) all += one.text;
  EXPECT_EQ(all, text);
}

TEST(PgnCheck, FindsFaults) {
  EXPECT_THAT(pgn_faults(game("1. e4 {a (b} (1. d4 d5) 1... e5 1-0")), IsEmpty());
  const auto is_faulty = [](std::string_view text, unsigned width = 80) {
    return !pgn_faults(text, width).empty();
  };
  for (const std::string_view movetext : {"1. e4",
                                          "1. e4 0-1",
                                          "1. e4 (1. d4 1-0",
                                          "1. e4) 1-0",
                                          "1. e4 {a 1-0",
                                          "1. e4 \n1-0",
                                          "1.\ne4 1-0",
                                          "1. e4 {a\n[b} 1-0",
                                          "1. e4 {a\n\nb} 1-0",
                                          "1. e4 {\x01} 1-0",
                                          "1. e4 {\xE9} 1-0",
                                          "1. e4 ! 1-0",
                                          "1. e4 1-0 1-0",
                                          "1-0 1. e4",
                                          "\n1-0",
                                          "1-0\n",
                                          "1. e4\n e5 1-0",
                                          "1. e4 {a\n%b} 1-0",
                                          "1. e4 () 1-0",
                                          ""}) {
    EXPECT_TRUE(is_faulty(game(movetext))) << movetext;
  }
  EXPECT_TRUE(is_faulty(game("1. e4 e5 1-0"), 11));
  EXPECT_FALSE(is_faulty(game("1. e4 e5 1-0"), 12));
  EXPECT_FALSE(is_faulty(game("1. e4\n{abcdefghijklmnop}\n1-0"), 12));
  EXPECT_TRUE(is_faulty(game("1-0", "[A \"a\"b\"]\n")));
  EXPECT_TRUE(is_faulty(game("1-0", "[A \"a\\b\"]\n")));
  EXPECT_TRUE(is_faulty(game("1-0", "[A \"1\"]\n[A \"1\"]\n")));
  EXPECT_TRUE(is_faulty("[Event \"E\"]\n\n*\n\n"));
}

}  // namespace
}  // namespace scidfs::tests
