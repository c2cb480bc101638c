#include "fs/crosstable/crosstable.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "fs/crosstable/crosstable_standings.h"
#include "fs/crosstable/event_facts.h"
#include "fs/crosstable/round_order.h"
#include "tests/fs/crosstable/event_builder.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Result kWhite = Result::WhiteWins;
constexpr Result kBlack = Result::BlackWins;
constexpr Result kDraw = Result::Draw;
constexpr Result kUnknown = Result::Unknown;

constexpr const char* kStandingsHead =
    "rank\tname\telo\tgames\tpoints\twins\tdraws\tlosses\tsonneborn_berger\tbuchholz\tpath\n";
constexpr const char* kPairsHead =
    "rank\tname\topponent_rank\topponent\tgames\tpoints\twins\tdraws\tlosses\tresults\n";

TEST(ParseRound, MatchesExamples) {
  const std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>> cases = {
      {"", 0, 0},    {"?", 0, 0},       {"-", 0, 0},           {"0", 0, 0},
      {"3", 3, 0},   {"03", 3, 0},      {"3.2", 3, 2},         {"3.", 3, 0},
      {"3.x", 3, 0}, {"3.12.1", 3, 12}, {"3 (2)", 0, 0},       {"-3", 0, 0},
      {"x3", 0, 0},  {".5", 0, 0},      {"99999999999", 0, 0}, {"4294967295", 4294967295U, 0},
  };
  for (const auto& [text, number, part] : cases) {
    EXPECT_EQ(parse_round(text), (Round{number, part})) << text;
  }
}

TEST(Crosstable, ShowsMatch) {
  EventBuilder event;
  const auto anand = event.player("Anand, Viswanathan", 2775);
  const auto carlsen = event.player("Carlsen, Magnus", 2870);
  const Result results[] = {kDraw,  kDraw, kDraw, kDraw,  kWhite,
                            kBlack, kDraw, kDraw, kBlack, kDraw};
  for (unsigned i = 0; i < 10; ++i) {
    const bool carlsen_is_white = i == 0 || i == 2 || i == 4 || i == 7 || i == 9;
    event.play(carlsen_is_white ? carlsen : anand, carlsen_is_white ? anand : carlsen, results[i],
               std::to_string(i + 1), {2013, 11, static_cast<std::uint8_t>(9 + i)});
  }
  std::ranges::reverse(event.games());  // the rounds give the order
  EXPECT_EQ(event.layout(), CrosstableLayout::Match);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town, 2013.11.09 - 2013.11.18\n"
            "2 players, 10 games, average rating 2823\n"
            "\n"
            "Name                Rating  1  2  3  4  5  6  7  8  9  10  Points  +  =  -\n"
            "Carlsen, Magnus       2870  ½  ½  ½  ½  1  1  ½  ½  1  ½       6½  3  7  0\n"
            "Anand, Viswanathan    2775  ½  ½  ½  ½  0  0  ½  ½  0  ½       3½  0  7  3\n");
}

// London 2013, group C: a double round robin with Sonneborn-Berger 12, 5, 5.5 and 2.
TEST(Crosstable, ShowsDoubleRoundRobin) {
  EventBuilder event;
  for (const auto& [name, elo] : {std::pair{"Caruana, Fabiano", 2782},
                                  {"Short, Nigel D", 2683},
                                  {"Howell,D", 2640},
                                  {"Sutovsky,E", 2657}}) {
    event.player(name, static_cast<std::uint16_t>(elo));
  }
  const std::tuple<const char*, const char*, Result> games[] = {
      {"Caruana, Fabiano", "Short, Nigel D", kWhite}, {"Howell,D", "Sutovsky,E", kWhite},
      {"Sutovsky,E", "Caruana, Fabiano", kBlack},     {"Short, Nigel D", "Howell,D", kDraw},
      {"Caruana, Fabiano", "Howell,D", kDraw},        {"Short, Nigel D", "Sutovsky,E", kWhite},
      {"Short, Nigel D", "Caruana, Fabiano", kBlack}, {"Sutovsky,E", "Howell,D", kWhite},
      {"Caruana, Fabiano", "Sutovsky,E", kWhite},     {"Howell,D", "Short, Nigel D", kBlack},
      {"Howell,D", "Caruana, Fabiano", kBlack},       {"Sutovsky,E", "Short, Nigel D", kBlack},
  };
  int number = 0;
  for (const auto& [white, black, result] : games) {
    event.play(white, black, result, std::to_string(1 + number++ / 2), {2013, 12, 11});
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town, 2013.12.11\n"
            "4 players, 12 games, average rating 2691 (category 18)\n"
            "\n"
            "#  Name              Rating  1  2  3  4   Points    S-B\n"
            "1  Caruana, Fabiano    2782  X  11 ½1 11      5½  12.00\n"
            "2  Short, Nigel D      2683  00 X  ½1 11      3½   5.00\n"
            "3  Howell,D            2640  ½0 ½0 X  10      2    5.50\n"
            "4  Sutovsky,E          2657  00 00 01 X       1    2.00\n");
}

TEST(Crosstable, ShowsRoundRobinWithMissingGames) {
  EventBuilder event;
  event.play("Élő", "Ág", kWhite, "?", {1900, 5, 0});
  event.play("Ágnes", "Élő", kDraw, "?", {1900, 5, 7});
  event.play("Élő", "Zoë", kUnknown, "?", {1900, 5, 9});
  event.play("Ágnes", "Zoë", kBlack, "?", {1900, 0, 0});
  event.player("Élő");
  EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town, 1900.05.07 - 1900.05.09\n"
            "4 players, 4 games (1 without a result)\n"
            "\n"
            "#  Name   1 2 3 4  Points  Games   S-B\n"
            "1  Élő    X * ½ 1      1½      3  0.25\n"
            "2  Zoë    * X 1 .      1       2  0.50\n"
            "3  Ágnes  ½ 0 X .       ½      2  0.75\n"
            "4  Ág     0 . . X      0       1  0.00\n");
}

TEST(Crosstable, ReportsNumberOfMissingGames) {
  const std::vector<std::string> kinds = {"a round robin\n", "a double round robin\n",
                                          "a triple round robin\n",
                                          "a round robin of 4 games a pair\n"};
  for (std::size_t cycles = 1; cycles <= kinds.size(); ++cycles) {
    EventBuilder event;
    for (std::uint32_t a = 0; a < 6; ++a) event.player("P" + std::to_string(a));
    for (std::size_t game = 0; game < cycles; ++game) {
      for (std::uint32_t a = 0; a < 6; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
          if (game != 0 || b != 0 || a > 2) event.play(a, b, kDraw, "?");
        }
      }
    }
    EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
    EXPECT_THAT(event.text(), HasSubstr("\nMissing: 2 games of " + kinds[cycles - 1]));
    event.play(1, 0, kDraw, "?");
    EXPECT_THAT(event.text(), HasSubstr("\nMissing: 1 game of " + kinds[cycles - 1]));
    event.play(2, 0, kDraw, "?");
    EXPECT_THAT(event.text(), Not(HasSubstr("Missing")));
    event.play(2, 0, kWhite, "?");  // a tiebreak game
    EXPECT_THAT(event.text(), Not(HasSubstr("Missing")));
  }
}

// Such games remain of an open tournament or a league.
TEST(Crosstable, FewPlayersHaveNoMissingGames) {
  EventBuilder event;
  event.play("A", "B", kWhite, "?");
  event.play("A", "C", kWhite, "?");
  EXPECT_THAT(event.text(), Not(HasSubstr("Missing")));
  event.play("A", "D", kWhite, "?");
  event.play("B", "D", kWhite, "?");
  EXPECT_THAT(event.text(), Not(HasSubstr("Missing")));
  event.play("C", "D", kWhite, "?");
  EXPECT_THAT(event.text(), HasSubstr("Missing: 1 game of a round robin\n"));
}

TEST(Crosstable, TsvHasStandingsAndResults) {
  EventBuilder event;
  event.player("A", 2400);
  event.play("A", "B", kWhite, "1");
  event.play("B", "A", kDraw, "2");
  event.play("C", "A", kUnknown, "3");
  event.play("C", "B", kWhite, "4");
  event.play("C", "C", kWhite, "5");
  EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  EXPECT_EQ(event.standings(), std::string(kStandingsHead) +
                                   "1\tA\t2400\t3\t1.5\t1\t1\t0\t0.75\t\tto/0\n"
                                   "2\tC\t\t2\t1.0\t1\t0\t0\t0.50\t\tto/2\n"
                                   "3\tB\t\t3\t0.5\t0\t1\t2\t0.75\t\tto/1\n");
  EXPECT_EQ(event.pairs(), std::string(kPairsHead) +
                               "1\tA\t2\tC\t1\t0.0\t0\t0\t0\tb*\n"
                               "1\tA\t3\tB\t2\t1.5\t1\t1\t0\tw1 b1/2\n"
                               "2\tC\t1\tA\t1\t0.0\t0\t0\t0\tw*\n"
                               "2\tC\t3\tB\t1\t1.0\t1\t0\t0\tw1\n"
                               "3\tB\t1\tA\t2\t0.5\t0\t1\t1\tb0 w1/2\n"
                               "3\tB\t2\tC\t1\t0.0\t0\t0\t1\tb0\n");
  EXPECT_EQ(EventBuilder().standings(), kStandingsHead);
  EXPECT_EQ(EventBuilder().pairs(), kPairsHead);
}

TEST(RoundNumbers, SortInOrderOfPlay) {
  const std::vector<std::string> in_order = {"1",    "1.1", "1.2",      "1.10",       "2", "3 (2)",
                                             "3.2a", "10",  "10.1.1.1", "4294967294", "?"};
  for (std::size_t i = 1; i < in_order.size(); ++i) {
    EXPECT_LE(RoundNumbers::of(in_order[i - 1]), RoundNumbers::of(in_order[i])) << in_order[i];
    EXPECT_EQ(RoundNumbers::of(in_order[i - 1]) == RoundNumbers::of(in_order[i]),
              in_order[i] == "3.2a")
        << in_order[i];
  }
  for (const char* const unknown : {"", "-", "0", "0.1", "F", "x1", "Final 2"}) {
    EXPECT_EQ(RoundNumbers::of(unknown), RoundNumbers::of("?")) << unknown;
  }
  EXPECT_EQ(RoundNumbers::of("01.02"), RoundNumbers::of("1.2"));
}

TEST(Crosstable, ManyGamesOfPairAreSummedUp) {
  EventBuilder event;
  for (int i = 0; i < 7; ++i) {
    event.play("a", "b", i < 3 ? kDraw : kWhite, "?");
    event.play("c", "a", kWhite, "?");
  }
  event.play("b", "c", kDraw, "?");
  EXPECT_THAT(event.text(), HasSubstr("#  Name  1    2    3     Points  Games"));
  EXPECT_THAT(event.text(), HasSubstr("1  c     X    7/7  ½         7½      8  39.50"));
  EXPECT_THAT(event.text(), HasSubstr("2  a     0/7  X    5½/7      5½     14  11.00"));
  EXPECT_THAT(event.text(), HasSubstr("3  b     ½    1½/7 X         2       8  12.00"));
}

// Three rounds of eight players; the last game is unfinished.
void play_swiss(EventBuilder& event) {
  const std::tuple<const char*, const char*, Result, const char*> games[] = {
      {"A", "E", kWhite, "1.1"}, {"F", "B", kBlack, "1.2"}, {"C", "G", kDraw, "1.3"},
      {"H", "D", kDraw, "1.4"},  {"B", "A", kDraw, "2.1"},  {"C", "D", kWhite, "2.2"},
      {"G", "H", kWhite, "2.3"}, {"E", "F", kWhite, "2.4"}, {"A", "C", kWhite, "3.1"},
      {"G", "B", kDraw, "3.2"},  {"D", "E", kBlack, "3.3"}, {"F", "H", kUnknown, "3.4"},
  };
  for (const auto& [white, black, result, round] : games) event.play(white, black, result, round);
}

// Buchholz computed manually.
TEST(Crosstable, ShowsSwiss) {
  EventBuilder event;
  play_swiss(event);
  EXPECT_EQ(event.layout(), CrosstableLayout::Swiss);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town\n"
            "8 players, 12 games (1 without a result)\n"
            "\n"
            "#  Name    1    2    3  Points  Buchholz\n"
            "1  A     4w1  2b½  5w1      2½        5½\n"
            "2  B     8b1  1w½  3b½      2         4½\n"
            "3  G     5b½  7w1  2w½      2         4\n"
            "4  E     1b0  8w1  6b1      2         3\n"
            "5  C     3w½  6w1  1b0      1½        5\n"
            "6  D     7b½  5b0  4w0       ½        4\n"
            "7  H     6w½  3b0  8b*       ½        2½\n"
            "8  F     2w0  4b0  7w*      0         4\n");
}

// Rounds count games: 1 and 2 are the first stage, 3 and 4 the second.
TEST(Crosstable, ShowsKnockoutWithRoundForEachGame) {
  EventBuilder event;
  const std::tuple<const char*, const char*, Result, const char*> games[] = {
      {"A", "H", kWhite, "1"}, {"B", "G", kDraw, "1"},  {"C", "F", kWhite, "1"},
      {"D", "E", kBlack, "1"}, {"H", "A", kDraw, "2"},  {"G", "B", kBlack, "2"},
      {"F", "C", kWhite, "2"}, {"E", "D", kWhite, "2"}, {"A", "E", kWhite, "3"},
      {"F", "B", kDraw, "3"},  {"B", "F", kWhite, "4"}, {"B", "A", kDraw, "5"},
      {"E", "F", kBlack, "5"},
  };
  for (const auto& [white, black, result, round] : games) event.play(white, black, result, round);
  EXPECT_EQ(event.layout(), CrosstableLayout::Knockout);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town\n"
            "8 players, 13 games\n"
            "\n"
            "Rounds 1-2  1 2  Points\n"
            "B           ½ 1      1½\n"
            "G           ½ 0       ½\n"
            "\n"
            "F           0 1      1\n"
            "C           1 0      1\n"
            "\n"
            "A           1 ½      1½\n"
            "H           0 ½       ½\n"
            "\n"
            "E           1 1      2\n"
            "D           0 0      0\n"
            "\n"
            "Rounds 3-4  1 2  Points\n"
            "B           ½ 1      1½\n"
            "F           ½ 0       ½\n"
            "\n"
            "A           1        1\n"
            "E           0        0\n"
            "\n"
            "Round 5  1  Points\n"
            "B        ½       ½\n"
            "A        ½       ½\n"
            "\n"
            "F        1      1\n"
            "E        0      0\n");
  for (const char* const line : {"\n1\tB\t", "\n2\tA\t", "\n3\tF\t", "\n4\tE\t"}) {
    EXPECT_THAT(event.standings(), HasSubstr(line));
  }
}

TEST(Crosstable, SimilarEventsAreNotShownAsKnockout) {
  using Games = std::vector<std::tuple<const char*, const char*, Result, const char*>>;
  const Games start = {{"A", "B", kWhite, "1.1"},
                       {"B", "A", kDraw, "1.2"},
                       {"C", "D", kWhite, "1.1"},
                       {"D", "C", kDraw, "1.2"}};
  const std::vector<std::pair<const char*, Games>> ends = {
      {"nobody plays on", {}},
      {"one game of a pair", {{"A", "C", kWhite, "2.1"}}},
      {"losers play on",
       {{"A", "C", kWhite, "2.1"},
        {"B", "D", kWhite, "2.1"},
        {"A", "C", kDraw, "2.2"},
        {"B", "D", kDraw, "2.2"}}},
      {"a loser goes on", {{"B", "C", kWhite, "2.1"}, {"C", "B", kDraw, "2.2"}}},
      {"somebody has two opponents",
       {{"C", "E", kWhite, "1.2"}, {"A", "C", kWhite, "2.1"}, {"A", "C", kWhite, "2.2"}}},
      {"a round is not known", {{"A", "C", kWhite, "2.1"}, {"A", "C", kWhite, "?"}}},
      {"no final", {{"E", "F", kWhite, "1"}, {"A", "C", kWhite, "2"}, {"E", "G", kWhite, "2"}}},
      {"somebody new in the final", {{"A", "E", kWhite, "2.1"}, {"A", "E", kDraw, "2.2"}}},
      {"a loser comes back", {{"A", "C", kWhite, "2.1"}, {"A", "B", kWhite, "3.1"}}},
      {"the winner plays everybody", {{"A", "C", kWhite, "2.1"}, {"A", "E", kWhite, "3.1"}}},
  };
  for (const auto& [what, end] : ends) {
    EventBuilder event;
    for (const Games& games : {start, end}) {
      for (const auto& [white, black, result, round] : games) {
        event.play(white, black, result, round);
      }
    }
    EXPECT_NE(event.layout(), CrosstableLayout::Knockout) << what;
  }
  EventBuilder cup;
  for (const auto& [white, black, result, round] : start) cup.play(white, black, result, round);
  for (const char* const round : {"2.1", "2.2"}) cup.play("A", "C", kWhite, round);
  EXPECT_EQ(cup.layout(), CrosstableLayout::Knockout);
  // Single games need three rounds to count as a knockout: a Swiss event may have only the games of
  // its leaders.
  EventBuilder event;
  for (const auto& [white, black] : {std::pair{"A", "B"}, {"C", "D"}}) {
    event.play(white, black, kWhite, "2");
  }
  event.play("A", "C", kWhite, "3");
  EXPECT_NE(event.layout(), CrosstableLayout::Knockout);
  for (const auto& [white, black] : {std::pair{"A", "E"}, {"B", "F"}, {"C", "G"}, {"D", "H"}}) {
    event.play(white, black, kWhite, "1");
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Knockout);
  event.games().back().result = kDraw;
  EXPECT_NE(event.layout(), CrosstableLayout::Knockout);
}

TEST(Crosstable, KnockoutShowsMiniMatchesByRound) {
  EventBuilder event;
  for (int game = 1; game <= 2; ++game) {
    const std::string first = "1." + std::to_string(game);
    const bool odd = game == 1;
    event.play(odd ? "A" : "D", odd ? "D" : "A", odd ? kWhite : kDraw, first);
    event.play(odd ? "B" : "C", odd ? "C" : "B", kDraw, first);
    const std::string second = "2." + std::to_string(game);
    event.play(odd ? "A" : "B", odd ? "B" : "A", odd ? kDraw : kBlack, second);
  }
  event.play("B", "C", kWhite, "1.3");
  EXPECT_EQ(event.layout(), CrosstableLayout::Knockout);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town\n"
            "4 players, 7 games\n"
            "\n"
            "Round 1  1 2 3  Points\n"
            "A        1 ½        1½\n"
            "D        0 ½         ½\n"
            "\n"
            "B        ½ ½ 1      2\n"
            "C        ½ ½ 0      1\n"
            "\n"
            "Round 2  1 2  Points\n"
            "A        ½ 1      1½\n"
            "B        ½ 0       ½\n");
  EXPECT_EQ(event.standings(), std::string(kStandingsHead) +
                                   "1\tA\t\t4\t3.0\t2\t2\t0\t\t\tto/0\n"
                                   "2\tB\t\t5\t2.5\t1\t3\t1\t\t\tto/2\n"
                                   "3\tC\t\t3\t1.0\t0\t2\t1\t\t\tto/3\n"
                                   "4\tD\t\t2\t0.5\t0\t1\t1\t\t\tto/1\n");
}

TEST(Crosstable, GamesWithoutRoundHaveColumn) {
  EventBuilder event;
  for (int i = 0; i < 20; ++i) {
    event.play("p" + std::to_string(i), "q" + std::to_string(i), kWhite, i == 0 ? "?" : "2");
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Swiss);
  EXPECT_THAT(event.text(), HasSubstr("2     ?  Points"));
}

TEST(Crosstable, IrregularGamesAreListed) {
  EventBuilder event;
  event.play("A", "B", kWhite, "?", {1850, 2, 0});
  event.play("C", "D", kDraw, "?", {1850, 1, 0});
  event.play("B", "A", kUnknown, "?", {1850, 3, 0});
  EXPECT_EQ(event.layout(), CrosstableLayout::GameList);
  EXPECT_EQ(event.text(),
            "Cup\n"
            "Town, 1850.01.?? - 1850.03.??\n"
            "4 players, 3 games (1 without a result)\n"
            "\n"
            "#  Name  Points  Games  +  =  -\n"
            "1  A         1       2  1  0  0\n"
            "2  C          ½      1  0  1  0\n"
            "3  D          ½      1  0  1  0\n"
            "4  B         0       2  0  0  1\n"
            "\n"
            "White  Black  Result  Date\n"
            "C      D      ½-½     1850.01.??\n"
            "A      B      1-0     1850.02.??\n"
            "B      A      *       1850.03.??\n");
}

// A cup with numbers of games and boards in place of rounds.
TEST(Crosstable, RoundsWithSeveralOpponentsAreIgnored) {
  EventBuilder event;
  for (int i = 0; i < 8; ++i) {
    for (int j = 1; j <= 2; ++j) {
      event.play("p" + std::to_string(i), "p" + std::to_string((i + j) % 8), kDraw, "1");
    }
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::GameList);
  EXPECT_THAT(event.text(), HasSubstr("Round  White  Black  Result\n"));
}

TEST(Crosstable, ShowsEventWithoutGames) {
  EXPECT_EQ(format_crosstable({"", ""}, {}), "?\n?\n0 players, 0 games\n");
}

TEST(Crosstable, GamesOfPlayerAgainstSelfAreLeftOut) {
  EventBuilder event;
  event.play("NN", "NN", kWhite, "1");
  EXPECT_EQ(event.text(),
            "Cup\nTown\n0 players, 0 games\nLeft out: 1 game of a player against himself\n");
  event.play("NN", "B", kWhite, "1");
  event.play("NN", "NN", kDraw, "2");
  EXPECT_EQ(event.text(),
            "Cup\nTown\n2 players, 1 game\nLeft out: 2 games of a player against himself\n\n"
            "Name  1  Points  +  =  -\n"
            "NN    1      1   1  0  0\n"
            "B     0      0   0  0  1\n");
}

TEST(Crosstable, ByesAndUnfinishedGamesDoNotCountForTieBreak) {
  for (const char* const nobody : {"BYE", "bye", "(Bye)", "*bye*", "", "?", "-"}) {
    SCOPED_TRACE(nobody);
    EventBuilder event;
    play_swiss(event);
    event.play("I", nobody, kWhite, "1");
    event.play(nobody, "I", kBlack, "2");
    EXPECT_EQ(event.text(),
              "Cup\nTown\n9 players, 12 games (1 without a result)\n"
              "Without an opponent: 2 games, with points but no tie-break\n\n"
              "#  Name    1    2    3  Points  Games  Buchholz\n"
              "1  A     4w1  2b½  6w1      2½      3        5½\n"
              "2  B     9b1  1w½  3b½      2       3        4½\n"
              "3  G     6b½  8w1  2w½      2       3        4\n"
              "4  E     1b0  9w1  7b1      2       3        3\n"
              "5  I     -w1  -b1    .      2       2        0\n"
              "6  C     3w½  7w1  1b0      1½      3        5\n"
              "7  D     8b½  6b0  4w0       ½      3        4\n"
              "8  H     7w½  3b0  9b*       ½      3        2½\n"
              "9  F     2w0  4b0  8w*      0       3        4\n");
    EXPECT_THAT(event.standings(), Not(HasSubstr("ye")));
    EXPECT_THAT(event.pairs(), HasSubstr("\n5\tI\t\t\t2\t2.0\t2\t0\t0\tw1 b1\n"));
  }
  EventBuilder names;
  names.play("Bye, Karl", "Byer", kWhite, "1");
  names.play("?", "BYE", kWhite, "1");
  EXPECT_THAT(names.text(), HasSubstr("2 players, 1 game\nLeft out: 1 game without players\n"));
}

TEST(Crosstable, SimultaneousDisplayIsListOfGames) {
  for (const bool has_rounds : {false, true}) {
    EventBuilder event;
    for (int board = 1; board <= 6; ++board) {
      event.play("Master", "Amateur " + std::to_string(board), board == 2 ? kDraw : kWhite,
                 has_rounds ? std::to_string(board) : "?");
    }
    EXPECT_EQ(event.layout(), CrosstableLayout::GameList);
    EXPECT_THAT(event.text(), HasSubstr("Cup\nTown\n7 players, 6 games\n\n"
                                        "#  Name       Points  Games  +  =  -\n"
                                        "1  Master         5½      6  5  1  0\n"));
  }
}

TEST(Crosstable, GamesOfOnePlayerAreNoRoundRobin) {
  for (const int opponents : {2, 3, 20}) {
    for (const bool has_rounds : {false, true}) {
      SCOPED_TRACE(fmt::format("{} opponents, rounds {}", opponents, has_rounds));
      EventBuilder event;
      event.player("Champion", 2700);
      for (int round = 1; round <= opponents; ++round) {
        event.player("P" + std::to_string(round), 2600);
        event.play("Champion", "P" + std::to_string(round), kWhite,
                   has_rounds ? std::to_string(round) : "?");
      }
      EXPECT_EQ(event.layout(), CrosstableLayout::GameList);
      EXPECT_EQ(event_facts(event.games()).ratings.fide_category, 0U);
    }
  }
  EventBuilder many;
  for (int game = 0; game < 6000; ++game) many.play("A", game % 2 == 0 ? "B" : "C", kWhite, "?");
  EXPECT_EQ(many.layout(), CrosstableLayout::StandingsOnly);
}

// Players 0 to 6 meet, but for some pairs.
TEST(Crosstable, OnlyNearlyCompleteRoundRobinsHaveCategory) {
  constexpr std::uint32_t kPlayers = 7;
  for (const auto& [pairs, has_category] :
       {std::pair{21, true}, {20, true}, {19, false}, {11, false}}) {
    EventBuilder event;
    for (std::uint32_t a = 0; a < kPlayers; ++a) event.player("P" + std::to_string(a), 2700);
    int left = pairs;
    for (std::uint32_t a = 0; a < kPlayers; ++a) {
      for (std::uint32_t b = a + 1; b < kPlayers; ++b) {
        if (left-- > 0) event.play(a, b, kDraw, "?");
      }
    }
    EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin) << pairs;
    EXPECT_EQ(event_facts(event.games()).ratings.fide_category != 0, has_category) << pairs;
    EXPECT_EQ(event.text().find("category") != std::string::npos, has_category) << pairs;
  }
}

TEST(Crosstable, RatingsMayBeMissing) {
  EventBuilder event;
  event.player("A", 2400);
  event.player("B", 2301);
  for (const char* black : {"B", "C"}) event.play("A", black, kWhite, "?");
  event.play("B", "C", kDraw, "?");
  EXPECT_THAT(event.text(), HasSubstr("average rating 2351 (2 rated)\n"));
  EXPECT_THAT(event.text(), HasSubstr("3  C             0"));
  for (CrosstableGame& game : event.games()) {
    if (game.black == "C") game.black_rating.value = 2050;
  }
  EXPECT_THAT(event.text(), HasSubstr("average rating 2250\n"));
  event.games()[1].black_rating.value = 2053;  // the first rating counts
  EXPECT_THAT(event.text(), HasSubstr("average rating 2251 (category 1)\n"));
  event.games()[0].white_rating.type = codec::RatingType::Iccf;
  EXPECT_THAT(event.text(), HasSubstr("average rating 2177 (2 rated)\n"));
  EXPECT_THAT(event.text(), HasSubstr("  2400  "));
  EXPECT_THAT(event.standings(), HasSubstr("\n1\tA\t\t2\t2.0\t"));
  EXPECT_THAT(event.standings(), HasSubstr("\n2\tB\t2301\t2\t0.5\t"));
}

TEST(Crosstable, LongNamesAreClipped) {
  EventBuilder event;
  event.play(std::string(300, 'x'), "B", kWhite, "1");
  EXPECT_THAT(event.text(), HasSubstr(std::string(39, 'x') + "…  1      1 "));
  EXPECT_THAT(event.text(), Not(HasSubstr(std::string(40, 'x'))));
}

TEST(Crosstable, LongMatchesShowOnlyStandings) {
  EventBuilder event;
  for (int i = 0; i < 101; ++i) event.play("A", "B", i % 2 == 0 ? kWhite : kDraw, "?");
  EXPECT_EQ(event.layout(), CrosstableLayout::StandingsOnly);
  EXPECT_EQ(event.text(),
            "Cup\nTown\n2 players, 101 games\n\n"
            "#  Name  Points   +   =   -\n"
            "1  A        76   51  50   0\n"
            "2  B        25    0  50  51\n");
}

TEST(Crosstable, TablesOfLargeEventsStaySmall) {
  std::mt19937 random(7);
  for (const unsigned players : {900U, 5000U, 20000U}) {
    EventBuilder event;
    for (unsigned i = 0; i < players; ++i) event.player("Player " + std::to_string(i));
    for (unsigned i = 0; i < 100000; ++i) {
      event.play(i % players, static_cast<std::uint32_t>(random() % players),
                 static_cast<Result>(random() % 4), players == 900 ? "?" : "1");
    }
    EXPECT_EQ(event.layout(), CrosstableLayout::StandingsOnly);
    const std::string text = event.text();
    EXPECT_LT(text.size(), 1000000U);
    EXPECT_EQ(text.ends_with("... and 10000 more\n"), players == 20000);
  }
}

}  // namespace
}  // namespace scidfs::fs
