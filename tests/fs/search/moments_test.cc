// moments.epd against the lines of fens/: the first position of each game that meets a condition.
#include "fs/search/moments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/fs/search/moves_of_games.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The lines of each game in fens/.
std::vector<std::vector<std::string>> all_lines(const tests::ScidDatabase& read) {
  std::vector<std::vector<std::string>> all(read.games());
  codec::scid::GameEpd epd(codec::CastlingRule::Standard);
  for (std::uint32_t game = 0; game < read.games(); ++game) {
    const std::optional<codec::Bytes> record = read.record(game);
    if (!record.has_value()) continue;
    codec::TextBuffer text;
    epd.append(read.place(game), read.entry(game).result, *record, text);
    all[game] = tests::split(std::string(text.view()), '\n');
  }
  return all;
}

class MomentsTest : public DatabaseTest {
 protected:
  static std::vector<std::string> moments(const DatabasePtr& database, const std::string& facet) {
    return moments(DatabaseGames(database, database->shown()), facet);
  }
  static std::vector<std::string> moments(const DatabaseGames& set, const std::string& facet) {
    const std::vector<FacetGroup> groups = {{parse_facet(facet).value()}};
    const std::optional<Facet> moment = moment_of(groups);
    EXPECT_TRUE(moment.has_value()) << facet;
    const auto content = open_moments({set}, *moment, WorkBudget::unlimited(nullptr));
    EXPECT_TRUE(content.ok()) << content.status();
    std::string text;
    EXPECT_TRUE((*content)->read(0, (*content)->size(), text).ok());
    return tests::split(text, '\n');
  }
};

// A condition, and whether a line of fens/ and the one before it meet it.
struct Question {
  std::string facet;
  bool (*is_met)(std::string_view before, std::string_view line);
};

bool has_queens(std::string_view line, bool of_white, bool of_black) {
  const std::string_view board = line.substr(0, line.find(' '));
  return (board.find('Q') != std::string_view::npos) == of_white &&
         (board.find('q') != std::string_view::npos) == of_black;
}

TEST_F(MomentsTest, AreFirstLinesThatMeetCondition) {
  tests::Random random(31);
  const tests::ScidFiles files = random_files(random, 600);
  const Shared database = open(files);
  const auto all = all_lines(tests::ScidDatabase(files, ".si4"));
  const std::vector<Question> questions = {
      {"position=rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-",
       [](std::string_view, std::string_view line) {
         return line.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ");
       }},
      {"pieces=Pe4",
       [](std::string_view, std::string_view line) {
         constexpr std::size_t kE4 = 36;
         return squares_of(line)[kE4] == 'P';
       }},
      {"played=h6",
       [](std::string_view before, std::string_view) {
         return before.find("; sm h6;") != std::string_view::npos ||
                before.find("; sm h6+;") != std::string_view::npos;
       }},
      {"pieces=Qa-h1-8,qa-h1-8",
       [](std::string_view, std::string_view line) { return has_queens(line, true, true); }}};
  for (const Question& question : questions) {
    std::vector<std::string> expected;
    std::size_t games = 0;
    for (const auto& lines : all) {
      std::string_view before;
      const auto found = std::ranges::find_if(lines, [&](const std::string& line) {
        const bool is_met = question.is_met(before, line);
        before = line;
        return is_met;
      });
      if (found != lines.end()) expected.push_back(*found);
      ++games;
    }
    EXPECT_EQ(moments(database, question.facet), expected) << question.facet;
    EXPECT_GT(expected.size(), 20U) << question.facet;
    EXPECT_EQ(find(database, question.facet).size(), expected.size()) << question.facet;
    EXPECT_LT(expected.size(), games) << question.facet;
  }
}

TEST_F(MomentsTest, NameOneOfSeveralDatabases) {
  tests::Random random(33);
  const Shared database = open(random_files(random, 100));
  const std::vector<std::string> lines = moments(database, "played=h6");
  ASSERT_FALSE(lines.empty());
  DatabaseGames set(database, database->shown());
  set.set_database_path(std::make_shared<const std::string>(R"(a/"b" \c.si4)"));
  std::vector<std::string> expected;
  for (std::string line : lines) {
    const std::string_view before = " id \"";
    line.insert(line.find(before) + before.size(), R"(a/\"b\" \\c.si4~)");
    expected.push_back(line);
  }
  EXPECT_EQ(moments(set, "played=h6"), expected);
}

// A line by the number of its game, and its ply.
std::pair<int, int> place_of(const std::string& line) {
  int game = 0;
  int ply = 0;
  EXPECT_EQ(std::sscanf(line.c_str() + line.find(" id "), " id \"%d.%d\"", &game, &ply), 2) << line;
  return {game, ply};
}

TEST_F(MomentsTest, OfListsAreEarliestOfAlternatives) {
  tests::Random random(32);
  const tests::ScidFiles files = random_files(random, 300);
  const Shared database = open(files);
  std::map<int, int> first;
  std::size_t later = 0;
  for (const std::string facet : {"reached=KQ+R+B+N+P+vKR+B+N+P+", "reached=KR+B+N+P+vKR+B+N+P+"}) {
    for (const std::string& line : moments(database, facet)) {
      const auto [game, ply] = place_of(line);
      const bool is_new = first.try_emplace(game, ply).second;
      first[game] = std::min(first[game], ply);
      later += is_new ? 0 : 1;
    }
  }
  std::map<int, int> together;
  for (const std::string& line :
       moments(database, "reached=KQ+R+B+N+P+vKR+B+N+P+,KR+B+N+P+vKR+B+N+P+")) {
    together.insert(place_of(line));
  }
  EXPECT_EQ(together, first);
  EXPECT_GT(later, 0U);
}

class MomentsFileTest : public LibraryTest {
 protected:
  void SetUp() override { open(tests::test_data("sample/sample.si4")); }
};

TEST_F(MomentsFileTest, ExistInAnswersToQuestionsAboutPositions) {
  for (const std::string set : {"search/pieces=Nd5/", "search/eco=B/search/played=Bxf7/",
                                "tree/e4/", "players/ca/Carlsen,_Magnus/search/reached=KRPvKR/",
                                "search/pieces=Nd5/search/not-played=Nf3/"}) {
    EXPECT_EQ(tests::split(text(set + "moments.epd"), '\n').size(),
              tests::rows_of(text(set + "index.tsv")).size())
        << set;
    EXPECT_THAT(names(set), Not(Contains("moments.epd")));
    EXPECT_THAT(text(set + "index.html"), Not(HasSubstr("moments.epd")));
  }
  for (const std::string set : {"", "search/eco=B/", "search/not-pieces=Nd5/", "eco/B/"}) {
    EXPECT_FALSE(exists(set + "moments.epd")) << set;
  }
}

// The canonical order is that of the conditions' names, wherever they are in the path.
TEST_F(MomentsFileTest, AreOfLastConditionInCanonicalOrder) {
  const std::string together = text("search/played=Nf3/search/pieces=Nf6,nc6/moments.epd");
  EXPECT_EQ(text("search/pieces=Nf6,nc6/played=Nf3/moments.epd"), together);
  const std::vector<std::string> of_played =
      tests::split(text("search/played=Nf3/moments.epd"), '\n');
  const std::vector<std::string> lines = tests::split(together, '\n');
  EXPECT_FALSE(lines.empty());
  for (const std::string& line : lines) EXPECT_THAT(of_played, Contains(line));
}

}  // namespace
}  // namespace scidfs::fs
