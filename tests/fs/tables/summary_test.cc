#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "fs/base/text_table.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr unsigned kNajdorf = 190;

class SummaryTest : public SetsTest {
 protected:
  static std::string summary(const DatabaseGames& set, const std::optional<Subject>& subject = {},
                             const WorkBudget& budget = whole()) {
    const auto text = set_summary(set, subject, {.title = "A title"}, budget);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }
  static tests::ScidFiles example() {
    return files_of({
        {"Tal, M", "Botvinnik", 2700, 2690, Result::WhiteWins, {1960, 3, 15}, kNajdorf, 80},
        {"Botvinnik", "Tal, M", 0, 2710, Result::Draw, {1961}, kNajdorf, 33},
        {"Tal, M", "Keres", 2650, 0, Result::Unknown, {}, 0, 0},
        {"Tal, M", "Keres", 0, 0, Result::BlackWins, {1962}, codec::kEcoBases, 80},
        {"Ghost", "Keres", 0, 0, Result::WhiteWins, {1950}, 0, 1, true},
    });
  }
};

TEST_F(SummaryTest, SummarizesSet) {
  const Shared database = open(example());
  EXPECT_EQ(summary(shown(database)), R"(A title
4 games from 1960 to 1962

Results       games  share
  White wins      1  25.0%  ████████████████████████████████████████
  draws           1  25.0%  ████████████████████████████████████████
  Black wins      1  25.0%  ████████████████████████████████████████
  unknown         1  25.0%  ████████████████████████████████████████
  score: White 50.0%, Black 50.0%

Years      games  share
  1960         1  25.0%  ████████████████████████████████████████
  1961         1  25.0%  ████████████████████████████████████████
  1962         1  25.0%  ████████████████████████████████████████
  unknown      1  25.0%  ████████████████████████████████████████

Ratings    average  rated  highest
  players     2688  50.0%     2710  Tal, M

Openings   games  share  White's score
  B90          2  50.0%          75.0%  ████████████████████
  unknown      1  25.0%           0.0%  ██████████
  A00          1  25.0%                 ██████████

Players      games  wins  draws  losses   score
  Tal, M         4     1      1       1   50.0%
  Botvinnik      2     0      1       1   25.0%
  Keres          2     1      0       0  100.0%

Longest game: 40 moves, number 1
  Tal, M - Botvinnik, 1960.03.15, 1-0
  games/1.pgn

Shortest game: 17 moves, number 2
  Botvinnik - Tal, M, 1961.??.??, 1/2-1/2
  games/2.pgn
)");
}

TEST_F(SummaryTest, SummarizesSubject) {
  const Shared database = open(example());
  EXPECT_EQ(summary(shown(database), subject_of(*database, "Tal, M")), R"(A title
4 games from 1960 to 1962

Results  games  wins        draws         losses        score
  all        4     1 25.0%      1  25.0%       1 25.0%  50.0%
  White      3     1 33.3%      0   0.0%       1 33.3%  50.0%
  Black      1     0  0.0%      1 100.0%       0  0.0%  50.0%

Years      games  share
  1960         1  25.0%  ████████████████████████████████████████
  1961         1  25.0%  ████████████████████████████████████████
  1962         1  25.0%  ████████████████████████████████████████
  unknown      1  25.0%  ████████████████████████████████████████

Ratings      average  rated  highest
  own           2687  75.0%     2710  Tal, M
  opponents     2690  25.0%     2690  Botvinnik

Openings   games  share  own score
  B90          2  50.0%      75.0%  ████████████████████
  unknown      1  25.0%       0.0%  ██████████
  A00          1  25.0%             ██████████

Opponents    games  wins  draws  losses  own score
  Botvinnik      2     1      1       0      75.0%
  Keres          2     0      0       1       0.0%

Longest game: 40 moves, number 1
  Tal, M - Botvinnik, 1960.03.15, 1-0
  games/1.pgn

Shortest game: 17 moves, number 2
  Botvinnik - Tal, M, 1961.??.??, 1/2-1/2
  games/2.pgn
)");
}

TEST_F(SummaryTest, RatingsAreElo) {
  const Shared database = open(files_of({
      {.white = "a", .black = "b", .white_elo = 2000, .black_elo = 2200},
      {.white = "c", .black = "d", .white_elo = 2500, .system = codec::RatingType::Iccf},
  }));
  EXPECT_THAT(summary(shown(database)), HasSubstr("  players     2100  50.0%     2200  b\n"));
}

TEST_F(SummaryTest, ScoresOfBlackBelongToBlack) {
  const Shared database = open(example());
  const std::string text = summary(shown(database), subject_of(*database, "Keres", Color::Black));
  EXPECT_THAT(text, HasSubstr("\n  unknown      1  25.0%     100.0%  "));
  EXPECT_THAT(text, HasSubstr("\n  White      0     0  "));
  EXPECT_THAT(text, HasSubstr("\n  Tal, M       2     1      0       0     100.0%\n"));
}

TEST_F(SummaryTest, GameOfPlayerAgainstSelfCountsOnce) {
  const Shared database = open(files_of({
      {"?", "?", 0, 0, Result::WhiteWins, {}, kNajdorf},
      {"?", "?", 0, 0, Result::Draw, {}, kNajdorf},
      {"?", "Tal, M", 0, 0, Result::WhiteWins, {}, kNajdorf},
  }));
  const std::string players = summary(shown(database));
  EXPECT_THAT(players, HasSubstr("\n  ?           3     2      2       1  60.0%\n"));
  EXPECT_THAT(players, HasSubstr("\n  B90         3  100.0%          83.3%  "));
  const std::string own = summary(shown(database), subject_of(*database, "?"));
  EXPECT_THAT(own, HasSubstr("\n  all        3     2 40.0%      2 40.0%       1 20.0%  60.0%\n"
                             "  White      3     2 66.7%      1 33.3%       0  0.0%  83.3%\n"
                             "  Black      2     0  0.0%      1 50.0%       1 50.0%  25.0%\n"));
  EXPECT_THAT(own, HasSubstr("\n  B90         3  100.0%      60.0%  "));
  EXPECT_THAT(own, HasSubstr("\n  ?            2     1      2       1      50.0%\n"));
  // Two players of one subject have played each other.
  EXPECT_THAT(summary(shown(database), several(*database, [](std::uint32_t) { return true; })),
              HasSubstr("\n  all        3     2 33.3%      2 33.3%       2 33.3%  50.0%\n"));
}

TEST_F(SummaryTest, SummarizesDeletedGames) {
  const Shared database = open(example());
  const std::string text = summary(deleted(database));
  EXPECT_THAT(text, HasSubstr("A title\n1 game of 1950\n"));
  EXPECT_THAT(text, HasSubstr("Shortest game: 1 move, number 5\n"));
  EXPECT_THAT(text, HasSubstr("\n  deleted/5.pgn\n"));
  EXPECT_THAT(text, Not(HasSubstr("Ratings")));
}

TEST_F(SummaryTest, SummarizesEmptySet) {
  const Shared database = open(example());
  EXPECT_EQ(summary(set_of(database, {}), {}, WorkBudget::limited(0)), "A title\nno games\n");
}

TEST_F(SummaryTest, OmitsUnknownParts) {
  const Shared database = open(files_of({{"", "?"}, {"?", ""}}));
  const std::string text = summary(shown(database));
  EXPECT_THAT(text, HasSubstr("\n2 games\n"));
  for (const char* const part : {"Years", "Ratings", "Longest", "Shortest", "score:"}) {
    EXPECT_THAT(text, Not(HasSubstr(part)));
  }
}

// For any database.
TEST_F(SummaryTest, HasBoundedWidthAndDoesNotDependOnThreads) {
  for (const std::size_t players : {40, 3000, 40000}) {
    const Shared database = open(random_files(9000, players, players));
    for (const DatabaseGames& set : many_sets(database, 2)) {
      for (const std::optional<Subject>& subject : std::vector<std::optional<Subject>>{
               std::nullopt, Subject{.players = NameIds(3)}, Subject{},
               several(*database, [](std::uint32_t id) { return id % 2 == 0; })}) {
        const std::string text = summary(set, subject);
        EXPECT_EQ(summary(set, subject, on_one_thread()), text);
        EXPECT_TRUE(text.ends_with('\n'));
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
          EXPECT_LE(display_width(line), 80U) << line;
          EXPECT_FALSE(line.ends_with(' ')) << line;
        }
      }
    }
  }
}

TEST_F(SummaryTest, LongTitlesAreTruncated) {
  const Shared database = open(example());
  const auto text = set_summary(shown(database), {}, {.title = std::string(100, 'x')}, whole());
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, ::testing::StartsWith(std::string(79, 'x') + "…\n4 games"));
}

TEST_F(SummaryTest, ShowsLongestAndShortestGame) {
  const Shared database = open(random_files(9000, 100, 3));
  for (const DatabaseGames& set : many_sets(database, 4)) {
    GameIndex longest = kNoGame, shortest = kNoGame;
    unsigned most = 0, fewest = 0;
    std::vector<Entry> room;
    for (const GameIndex game : games_of(set)) {
      const auto block = database->files().index_file().read_block(game / IndexFile::kBlock, room);
      ASSERT_TRUE(block.ok());
      const unsigned plies = block->entries[game % IndexFile::kBlock].plies;
      if (plies > most) {
        most = plies;
        longest = game;
      }
      if (plies != 0 && (fewest == 0 || plies < fewest)) {
        fewest = plies;
        shortest = game;
      }
    }
    if (most == 0) continue;
    const std::string text = summary(set);
    const auto line = [](const char* what, unsigned plies, GameIndex game) {
      return std::string(what) + " game: " + std::to_string((plies + 1) / 2) +
             (plies <= 2 ? " move" : " moves") + ", number " + std::to_string(game + 1) + "\n";
    };
    EXPECT_THAT(text, HasSubstr(line("Longest", most, longest)));
    EXPECT_THAT(text, HasSubstr(line("Shortest", fewest, shortest)));
  }
}

TEST_F(SummaryTest, RespectsBudget) {
  const Shared database = open(random_files(9000, 300, 1));
  const auto make = [&](const DatabaseGames& set, const WorkBudget& budget) {
    return set_summary(set, std::nullopt, {.title = "x"}, budget).status();
  };
  EXPECT_EQ(make(shown(database), WorkBudget::limited(300)), WorkBudget::exceeded());
  EXPECT_EQ(make(shown(database), over()), WorkBudget::cancelled());
  EXPECT_EQ(make(set_of(database, {0, 5000}), WorkBudget::limited(1)), WorkBudget::exceeded());
  EXPECT_TRUE(make(set_of(database, {0, 5000}), WorkBudget::limited(2)).ok());
}

}  // namespace
}  // namespace scidfs::fs
