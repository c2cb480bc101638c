// What a new user asks of an unknown folder, with nothing but its README.txt: each question is
// answered by a few commands and little output.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

struct Question {
  std::string_view asked;
  std::vector<std::string_view> commands;  // a word, and the path after it
  std::vector<std::string_view> answers;   // in what they print, in this order
};

constexpr std::size_t kMostCommands = 3;
constexpr std::size_t kMostBytes = 8192;

// About the sample; the database is in a folder with a PGN file.
const std::vector<Question>& questions() {
  static const std::vector<Question> kQuestions = {
      // What there is.
      {"What databases are here?", {"cat info.txt"}, {"database: sample.si4: 1605 games"}},
      {"How many games, and from which years?",
       {"cat sample.si4/summary.txt"},
       {"1,602 games from 1749 to 2022"}},
      {"What is in all databases together?",
       {"cat together/summary.txt"},
       {"from 1749 to 2022", "Morphy, Paul"}},
      {"How many players does the database know?", {"cat sample.si4/info.txt"}, {"players: 484"}},
      {"What conditions are there?",
       {"cat sample.si4/search/README.txt"},
       {"  player, white, black   names", "  mate "}},
      {"Is any game damaged?", {"cat sample.si4/errors.tsv"}, {"number\toffset\treason"}},
      {"How often does White win?", {"cat sample.si4/summary.txt"}, {"White wins    633  39.5%"}},
      {"Who has most games?", {"cat sample.si4/summary.txt"}, {"Morphy, Paul             178"}},
      {"How many games of each year?", {"cat sample.si4/years.tsv"}, {"\n1851\t29\t15\t3\t11\t"}},
      {"Are there games twice?",
       {"ls sample.si4/doubles", "cat sample.si4/doubles/doubles.tsv"},
       {"doubles.tsv", "1\t1\t\tAnderssen, Adolf\tKieseritzky, Lionel\t1851.06.21"}},
      // Players.
      {"How is Tal spelled here?", {"ls sample.si4/players/ta"}, {"Tal,_Mihail\n"}},
      {"How well did Kasparov score?",
       {"cat sample.si4/search/player=kasparov*/summary.txt"},
       {"157 games from 1978 to 2021", "67.5%"}},
      {"Kasparov against Karpov?",
       {"cat sample.si4/search/player=kasparov*/opponent=karpov*/summary.txt"},
       {"all       25     7 28.0%     15 60.0%       3 12.0%"}},
      {"Did Caruana ever beat Carlsen here?",
       {"cat sample.si4/search/white=caruana*/opponent=carlsen*/result=1-0/summary.txt"},
       {"no games\n"}},
      {"What did Morphy open with as White?",
       {"cat sample.si4/search/white=morphy*/openings.tsv"},
       {"C51\t\t16\t15\t1\t0\t96.9"}},
      {"What did Capablanca meet most as Black?",
       {"cat sample.si4/search/black=capablanca*/openings.tsv"},
       {"D67\t\t9\t0\t9\t0\t50.0"}},
      {"Against whom did Capablanca play most?",
       {"cat sample.si4/search/player=capablanca*/opponents.tsv"},
       {"Alekhine, Alexander\t40\t20\t20\t6\t28\t6"}},
      {"How many of Capablanca's games are draws?",
       {"cat sample.si4/search/player=capablanca*/result=draw/summary.txt"},
       {"84 games from 1901 to 1939"}},
      {"When was Capablanca's first game?",
       {"cat sample.si4/search/player=capablanca*/first=1,by=date/index.tsv"},
       {"Capablanca, Jose Raul", "1901"}},
      {"What was Carlsen's latest game?",
       {"cat sample.si4/search/player=carlsen*/last=1,by=date/games.pgn"},
       {"[Date \"2018.11.26\"]", "[Black \"Carlsen, Magnus\"]", "1. e4 c5"}},
      {"What does Short meet after 1.e4?",
       {"cat sample.si4/search/player=short*/tree/e4/moves.txt"},
       {"66 games", "  c5        27"}},
      {"Whom did Morphy play most?",
       {"cat sample.si4/search/player=morphy*/opponents.tsv"},
       {"\nLoewenthal, Johann Jacob\t18\t10\t8\t11\t3\t4"}},
      // Ratings.
      {"Which games have the highest ratings?",
       {"cat sample.si4/search/first=5,by=elo/index.tsv"},
       {"\tCarlsen, Magnus\t2835\tCaruana, Fabiano\t2832\t"}},
      {"And the lowest?",
       {"cat sample.si4/search/last=5,by=elo/index.tsv"},
       {"Kholmov, Ratmir D\t2540\tKasparov, Gary\t2200"}},
      {"How many games had somebody above 2800?",
       {"cat sample.si4/search/elo=2800../summary.txt"},
       {"137 games from 1990 to 2021"}},
      {"Who beat a much stronger White?",
       {"cat sample.si4/search/result=0-1/elo_difference=100../index.tsv"},
       {"Kasparov, Gary\t2805\tLautier, Joel\t2625\t0-1"}},
      // Events and dates.
      {"Who played in the world championship of 2018?",
       {"cat sample.si4/search/event=WCh_2018/players.tsv"},
       {"Carlsen, Magnus\t12\t6\t6\t0\t12\t0\t6.0", "Caruana, Fabiano\t12"}},
      {"How did it end, game by game?",
       {"ls sample.si4/events/2018",
        "cat sample.si4/events/2018/WCh_2018--London_ENG/crosstable.txt"},
       {"WCh_2018--London_ENG", "Carlsen, Magnus"}},
      {"Who won London 1851?",
       {"ls sample.si4/events/1851", "cat sample.si4/events/1851/London--London/crosstable.txt"},
       {"London--London", "1  Anderssen, Adolf        14½     20  14  1  5"}},
      {"How many games were played at Hastings?",
       {"cat sample.si4/search/site=Hastings*/summary.txt"},
       {"78 games from 1895 to 1979"}},
      {"What was played in 1972?",
       {"cat sample.si4/search/date=1972/games.pgn"},
       {"[Date \"1972.??.??\"]", "[White \"Karpov, Anatoly\"]"}},
      {"What is the oldest game?",
       {"cat sample.si4/search/first=1,by=date/games.pgn"},
       {"[Date \"1749.??.??\"]", "[White \"Philidor, Francois Andre Dani\"]"}},
      {"And the newest?",
       {"cat sample.si4/search/last=1,by=date/index.tsv"},
       {"Rapport,R\t2764\tWei Yi\t2727\t0-1\t2022.07.15"}},
      // Openings and positions.
      {"What is played on the first move?",
       {"cat sample.si4/tree/moves.txt"},
       {"1,599 games", "  e4       893   55.8%"}},
      {"What is played against 1.e4?",
       {"cat sample.si4/tree/e4/moves.txt"},
       {"893 games", "  e5       560"}},
      {"And after 1.d4 Nf6 2.c4?",
       {"cat sample.si4/tree/d4/Nf6/c4/moves.txt"},
       {"196 games", "  e6       122   62.2%"}},
      {"How does the board look after 1.e4 c5?",
       {"cat sample.si4/tree/e4/c5/board.txt"},
       {"FEN rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 1"}},
      {"Who of the strongest played the Sicilian?",
       {"cat sample.si4/tree/e4/c5/search/first=5,by=elo/index.tsv"},
       {"Carlsen, Magnus\t2835"}},
      {"How good is the Evans Gambit, C51, for White?",
       {"cat sample.si4/search/eco=C51/summary.txt"},
       {"41 games from 1834 to 2017", "score: White 70.7%"}},
      {"How are openings B doing since 2000?",
       {"cat sample.si4/search/eco=B/year=2000../summary.txt"},
       {"52 games from 2000 to 2022", "score: White 53.8%"}},
      {"Which letters of ECO codes are there?", {"ls sample.si4/eco"}, {"A\nB\nC\nD\nE\n"}},
      // Games.
      {"What is the longest game?",
       {"cat sample.si4/search/last=1,by=plies/index.tsv"},
       {"Caruana, Fabiano\t2782\tHowell,D\t2640\t1/2-1/2\t2013.12.12\t", "\t252\t"}},
      {"And the shortest that somebody won?",
       {"cat sample.si4/search/result=1-0,0-1/first=1,by=plies/index.tsv"},
       {"Saavedra, Fernando"}},
      {"Which games took 100 moves?",
       {"cat sample.si4/search/plies=200../index.tsv"},
       {"Sultan Khan, Mir\t\tAlekhine, Alexander", "\t252\t"}},
      {"Where is the Immortal Game?",
       {"cat sample.si4/search/text=immortal/index.tsv", "cat sample.si4/games/1.pgn"},
       {"Anderssen, Adolf\t\tKieseritzky, Lionel", "[White \"Anderssen, Adolf\"]", "Qf6+"}},
      {"Which games ended in stalemate?",
       {"cat sample.si4/search/mate=stalemate/index.tsv"},
       {"Tartakower, Saviely\t\tSpielmann, Rudolf"}},
      {"Which comments speak of a sacrifice?",
       {"cat sample.si4/search/text=sacrifice/index.tsv"},
       {"Paulsen, Louis\t\tMorphy, Paul\t\t0-1\t1857"}},
      {"How do rook endings go?",
       {"ls sample.si4/endings", "cat sample.si4/endings/rook/summary.txt"},
       {"\nrook\n", "168 games from 1783 to 2022"}},
      // Where one is wrong.
      {"Why is there no eco=Z?",
       {"ls sample.si4/search/eco=Z"},
       {"eco requires a code such as B, B9 or B90"}},
      {"What is the player Kasparow called?",
       {"cat sample.si4/players/ka/Kasparow,_Gary"},
       {"did you mean", "Kasparov,_Gary"}},
  };
  return kQuestions;
}

class QuestionsTest : public testing::Test {
 protected:
  QuestionsTest() {
    filesystem::copy(test_data("sample"), folder_ / "chess", filesystem::copy_options::recursive);
  }
  // What a command prints, errors included.
  std::string printed(std::string_view command) const {
    const std::size_t blank = command.find(' ');
    return run(fmt::format(
                   "XDG_CACHE_HOME={} {} {} -o spelling=none,eco=none,fide=none -- {} {} 2>&1",
                   word(folder_ / "cache"), word(program("scidfs-get")), command.substr(0, blank),
                   word(folder_ / "chess"), word(std::string(command.substr(blank + 1)))))
        .out;
  }

  const TemporaryFolder folder_;
};

TEST_F(QuestionsTest, AreAnsweredShortly) {
  ASSERT_EQ(questions().size(), 50U);
  for (const Question& question : questions()) {
    SCOPED_TRACE(question.asked);
    EXPECT_LE(question.commands.size(), kMostCommands);
    std::string output;
    for (const std::string_view command : question.commands) output += printed(command);
    EXPECT_LE(output.size(), kMostBytes);
    std::size_t at = 0;
    for (const std::string_view answer : question.answers) {
      const std::size_t found = output.find(answer, at);
      EXPECT_NE(found, std::string::npos) << answer << " is not in\n" << output.substr(at);
      if (found != std::string::npos) at = found + answer.size();
    }
  }
}

// The page fits two screens and answers what it asks, as shortly.
TEST_F(QuestionsTest, ExamplesOfTheReadmeHaveAnswers) {
  const std::string readme = printed("cat README.txt");
  EXPECT_LE(split(readme, '\n').size(), 60U);
  EXPECT_THAT(printed("ls ."), HasSubstr("README.txt\n"));
  std::size_t examples = 0;
  for (const std::string& line : split(readme, '\n')) {
    constexpr std::string_view kIndent = "      ";
    const bool is_path = line.starts_with(kIndent) && line.find(' ', kIndent.size()) == line.npos;
    if (!is_path) continue;
    ++examples;
    const std::string answer = printed("cat " + line.substr(kIndent.size()));
    EXPECT_GE(split(answer, '\n').size(), 2U) << line << ": " << answer;
    EXPECT_LE(answer.size(), kMostBytes) << line;
  }
  EXPECT_EQ(examples, 10U);
}

}  // namespace
}  // namespace scidfs::tests
