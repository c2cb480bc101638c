#include "fs/pages/explorer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/pages/pages_fixture.h"
#include "tests/support/explorer_check.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using codec::TargetPosition;
using testing::ElementsAre;
using testing::IsEmpty;

class ExplorerJsonTest : public PagesTest {
 protected:
  static std::string explorer(const DatabaseGames& set, const TargetPosition& target,
                              const OpeningNames* names = nullptr) {
    const std::string text =
        explorer_json(set, target.position, *table_of(set, target), {.names = names},
                      notable_of(set, target, kTopGames, kRecentGames));
    EXPECT_THAT(tests::explorer_faults(text), IsEmpty()) << text;
    return text;
  }
  // What a key of each object of a list says.
  static std::vector<std::string> each(const nlohmann::ordered_json& list, const char* key) {
    std::vector<std::string> values;
    for (const auto& object : list) values.push_back(object[key].dump());
    return values;
  }
};

TEST_F(ExplorerJsonTest, SaysWhenThereAreNoGames) {
  const Shared database = open(files_of_games({{.moves = "e4"}}));
  constexpr std::string_view kNothing =
      R"({"white":0,"draws":0,"black":0,"moves":[],"topGames":[],"recentGames":[],"opening":null})"
      "\n";
  EXPECT_EQ(explorer(set_of(database, {}), {}), kNothing);
  EXPECT_EQ(explorer(shown(database), {}), kNothing) << "a game without a result";
}

// The codes of openings are those that clients know: without the letter of Scid.
TEST_F(ExplorerJsonTest, IsTheShapeThatClientsKnow) {
  const OpeningNames names("A00 \"Start\" *\nB00k \"King's Pawn\" 1.e4 *\n");
  const Shared database = open(files_of_games({
      {"e4 e5", Result::WhiteWins, "Anna", "Bert", 2400, 2300, {2001, 5}},
      {"e4 c5", Result::Draw, "Carl", "Anna", 0, 2500, {2003}},
      {"d4", Result::BlackWins, "Bert", "Carl", 2600, 0, {2003, 1, 7}},
      {"d4 d5", Result::Unknown, "Anna", "Carl", 2000, 2800, {2010, 1, 1}},
      {"", Result::WhiteWins, "Dora", "Anna"},
      {"e4", Result::Unknown, "Carl", "Dora", 2411},
  }));
  const std::string first =
      R"({"id":"1","uci":"e2e4","winner":"white","white":{"name":"Anna","rating":2400},)"
      R"("black":{"name":"Bert","rating":2300},"year":2001,"month":"2001-05"})";
  const std::string second =
      R"({"id":"2","uci":"e2e4","winner":null,"white":{"name":"Carl","rating":0},)"
      R"("black":{"name":"Anna","rating":2500},"year":2003,"month":null})";
  const std::string third =
      R"({"id":"3","uci":"d2d4","winner":"black","white":{"name":"Bert","rating":2600},)"
      R"("black":{"name":"Carl","rating":0},"year":2003,"month":"2003-01"})";
  const std::string fifth =
      R"({"id":"5","uci":null,"winner":"white","white":{"name":"Dora","rating":0},)"
      R"("black":{"name":"Anna","rating":0},"year":0,"month":null})";
  // The rating of 1.d4 is that of two games, one of them without a result, as in moves.tsv.
  EXPECT_EQ(explorer(shown(database), {}, &names),
            R"({"white":2,"draws":1,"black":1,"moves":[)"
            R"({"uci":"e2e4","san":"e4","white":1,"draws":1,"black":0,"averageRating":2406,)"
            R"("game":null,"opening":{"eco":"B00","name":"King's Pawn"}},)"
            R"({"uci":"d2d4","san":"d4","white":0,"draws":0,"black":1,"averageRating":2300,)"
            R"("game":)" +
                third + R"(,"opening":null}],"topGames":[)" + first + ',' + third + ',' + second +
                ',' + fifth + R"(],"recentGames":[)" + third + ',' + second + ',' + first + ',' +
                fifth + R"(],"opening":{"eco":"A00","name":"Start"}})" + '\n');
}

TEST_F(ExplorerJsonTest, RatingsAreThoseOfTheSideToMove) {
  const Shared database = open(files_of_games({
      {"e4 e5", Result::WhiteWins, "Anna", "Bert", 2400, 2300},
      {"e4 e5", Result::WhiteWins, "Anna", "Bert", 2400, 0},
      {"e4 e5", Result::WhiteWins, "Anna", "Bert", 2400, 2000},
      {"e4 c5", Result::WhiteWins, "Anna", "Bert", 2400, 0},
  }));
  const auto json = tests::parse_explorer(explorer(shown(database), after({"e4"})));
  EXPECT_THAT(each(json["moves"], "averageRating"), ElementsAre("2150", "0"));
}

// More games play 1.c4, but fewer with a result.
TEST_F(ExplorerJsonTest, CountsAndOrdersGamesWithAResult) {
  const Shared database = open(files_of_games({
      {"c4"},
      {"c4"},
      {"c4"},
      {"c4", Result::Draw},
      {"g3"},
      {"f4", Result::Draw},
      {"d4", Result::WhiteWins},
      {"d4", Result::BlackWins},
      {"b3", Result::Draw},
  }));
  const auto json = tests::parse_explorer(explorer(shown(database), {}));
  EXPECT_THAT(each(json["moves"], "san"), ElementsAre("\"d4\"", "\"c4\"", "\"b3\"", "\"f4\""));
  EXPECT_EQ(json["draws"], 3);
  // Of four games the one with a result.
  EXPECT_EQ(json["moves"][0]["game"], nullptr);
  EXPECT_EQ(json["moves"][1]["game"]["id"], "4");
  EXPECT_EQ(json["moves"][3]["game"]["id"], "6");
}

TEST_F(ExplorerJsonTest, HasAllMovesAndSomeGames) {
  const std::vector<std::string_view> moves = {"a3", "a4", "b3",  "b4",  "c3",  "c4",  "d3",
                                               "d4", "e3", "e4",  "f3",  "f4",  "g3",  "g4",
                                               "h3", "h4", "Na3", "Nc3", "Nf3", "Nh3", "--"};
  std::vector<Game> games;
  for (const std::string_view move : moves) games.push_back({move, Result::Draw});
  const Shared database = open(files_of_games(games));
  const auto json = tests::parse_explorer(explorer(shown(database), {}));
  EXPECT_EQ(json["moves"].size(), moves.size());
  EXPECT_EQ(json["topGames"].size(), 15U);
  EXPECT_EQ(json["recentGames"].size(), 8U);
  EXPECT_EQ(json["moves"][0]["san"], "--");
  EXPECT_EQ(json["moves"][0]["uci"], "0000");
}

TEST_F(ExplorerJsonTest, MarksChecksAndMates) {
  const Shared database = open(files_of_games({
      {"f3 e5 g4 Qh4#", Result::BlackWins},
      {"f3 e5 g4 Qh4#", Result::BlackWins},
      {"f3 e5 g4 d5", Result::Draw},
  }));
  const auto json = tests::parse_explorer(explorer(shown(database), after({"f3", "e5", "g4"})));
  EXPECT_THAT(each(json["moves"], "san"), ElementsAre("\"Qh4#\"", "\"d5\""));
}

TEST_F(ExplorerJsonTest, MonthsAreThoseOfACalendar) {
  const Shared database = open(files_of_games({
      {"e4", Result::Draw, "Anna", "Bert", 0, 0, {2001, 12}},
      {"e4", Result::Draw, "Anna", "Bert", 0, 0, {2001, 13}},
      {"e4", Result::Draw, "Anna", "Bert", 0, 0, {987, 1}},
      {"e4", Result::Draw, "Anna", "Bert", 0, 0, {0, 5, 1}},
  }));
  const auto json = tests::parse_explorer(explorer(shown(database), {}));
  EXPECT_THAT(each(json["topGames"], "month"),
              ElementsAre("\"2001-12\"", "null", "\"0987-01\"", "null"));
}

// The names of a database are clean text before they come here: bytes that are no UTF-8 are read as
// Windows-1252, control characters are blanks. JSON escapes what it must.
TEST_F(ExplorerJsonTest, AnyNamesAreJson) {
  struct Case {
    std::string_view bytes;
    std::string_view name;
    std::string_view json;
  };
  const std::vector<Case> cases = {
      {"O\"Brien", "O\"Brien", "\"O\\\"Brien\""},
      {"back\\slash", "back\\slash", "\"back\\\\slash\""},
      {"a\x01\tb\x1F\n", "a  b  ", "\"a  b  \""},
      {"del\x7F", "del ", "\"del \""},
      {"J\xF6rg", "J\xC3\xB6rg", "\"J\xC3\xB6rg\""},
      {"K\xC3\xB6nig", "K\xC3\xB6nig", "\"K\xC3\xB6nig\""},
      {"cut \xC3", "cut \xC3\x83", "\"cut \xC3\x83\""},
      {"surrogate \xED\xA0\x80", "surrogate \xC3\xAD\xC2\xA0\xE2\x82\xAC",
       "\"surrogate \xC3\xAD\xC2\xA0\xE2\x82\xAC\""},
      {"</script>", "</script>", "\"</script>\""},
  };
  for (const Case& test : cases) {
    const Shared database = open(files_of_games({
        {.moves = "e4", .result = Result::Draw, .white = test.bytes, .black = "Bert"},
    }));
    const std::string text = explorer(shown(database), {});
    EXPECT_EQ(tests::parse_explorer(text)["topGames"][0]["white"]["name"], test.name);
    EXPECT_THAT(text, testing::HasSubstr("\"name\":" + std::string(test.json) + ','));
  }
}

// Games of any results and dates, of sets of any kind, with names that are missing.
TEST_F(ExplorerJsonTest, HasItsFormForAnyGames) {
  const Shared database = open(random_files(9000, 300, 1));
  for (const DatabaseGames& set : many_sets(database, 2)) {
    const std::string text = explorer(set, {});
    std::vector<std::uint32_t> results(4);
    for (const GameIndex game : games_of(set)) {
      ++results[static_cast<std::size_t>(database->entry(game).result)];
    }
    const auto json = tests::parse_explorer(text);
    EXPECT_EQ(json["white"], results[static_cast<std::size_t>(Result::WhiteWins)]);
    EXPECT_EQ(json["draws"], results[static_cast<std::size_t>(Result::Draw)]);
    EXPECT_EQ(json["black"], results[static_cast<std::size_t>(Result::BlackWins)]);
  }
}

}  // namespace
}  // namespace scidfs::fs
