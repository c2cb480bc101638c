#include "fs/serve/explorer_address.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fs/base/glob.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/name_pattern.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Json = nlohmann::ordered_json;

constexpr std::string_view kStart = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-";

// The parameters of "a=1&b=2", of which nothing is escaped.
Pairs pairs_of(std::string_view query) {
  Pairs pairs;
  if (query.empty()) return pairs;
  for (const std::string& part : tests::fields_of(query, '&')) {
    const std::size_t equals = std::min(part.find('='), part.size());
    pairs.emplace_back(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
  }
  return pairs;
}

// The path that a question means, or why it means none.
std::string path_of(std::string_view address, const Pairs& query) {
  const absl::StatusOr<ExplorerQuestion> question = explorer_question(address, query);
  if (question.ok()) return fmt::format("{}", fmt::join(question->names, "/"));
  EXPECT_TRUE(absl::IsInvalidArgument(question.status())) << question.status();
  return "refused: " + std::string(question.status().message());
}

ExplorerQuestion asked(std::string_view address, std::string_view query) {
  const absl::StatusOr<ExplorerQuestion> question = explorer_question(address, pairs_of(query));
  EXPECT_TRUE(question.ok()) << address << '?' << query << ": " << question.status();
  return question.value_or(ExplorerQuestion());
}

TEST(ExplorerAddressTest, IsExactlyWhatIsBuiltIn) {
  for (const char* const path : {"/masters", "/master", "/lichess", "/player", "/masters/pgn/1",
                                 "/master/pgn/12345", "/masters/pgn/0", "/masters/pgn/00012",
                                 "/master/pgn/99999999999999999999", "/masters/pgn/twic.si4~12",
                                 "/masters/pgn/a/twic.si4~12", "/masters/pgn/a~b/twic~2.si4~12"}) {
    EXPECT_TRUE(is_explorer_address(path)) << path;
  }
  for (const std::string_view path : {"",
                                      "/",
                                      "masters",
                                      "/mas",
                                      "/masters/",
                                      "/master/",
                                      "/lichess/",
                                      "/player/",
                                      "//masters",
                                      "/masters//pgn/1",
                                      "/Masters",
                                      "/masters/pgn",
                                      "/masters/pgn/",
                                      "/masters/pgn/1/",
                                      "/masters/pgn/1.pgn",
                                      "/masters/pgn/-1",
                                      "/masters/pgn/+1",
                                      "/masters/pgn/ 1",
                                      "/masters/pgn/*",
                                      "/masters/pgn/1a",
                                      "/masters/pgn/../1",
                                      "/masters/pgn/a/1",
                                      "/masters/pgn/~1",
                                      "/masters/pgn/twic~",
                                      "/masters/pgn/../twic.si4~1",
                                      "/masters/pgn/a/../twic.si4~1",
                                      "/masters/pgn//twic.si4~1",
                                      "/masters/pgn/./twic.si4~1",
                                      "/masters/pgn/a//b~1",
                                      "/masters/pgn/a/~1",
                                      "/lichess/pgn/1",
                                      "/player/pgn/1",
                                      "/masters?fen=",
                                      "/masters/index.html",
                                      "/masters.html"}) {
    EXPECT_FALSE(is_explorer_address(path)) << path;
  }
  using std::string_view_literals::operator""sv;
  for (const std::string_view path :
       {"/masters\0"sv, "/masters/pgn/1\0"sv, "/masters/pgn/a\0b~1"sv}) {
    EXPECT_FALSE(is_explorer_address(path)) << path;
  }
}

TEST(ExplorerAddressTest, IdHasPlainSlashesThatClientsEncode) {
  struct Case {
    std::string_view sent, base, plain;
  };
  for (const auto& [sent, base, plain] : std::initializer_list<Case>{
           {"/masters/pgn/a%2Fb%2ftwic.si4~12?x=%2F", "/", "/masters/pgn/a/b/twic.si4~12?x=%2F"},
           {"/chess/master/pgn/a%2Fb~1", "/chess/", "/chess/master/pgn/a/b~1"},
           {"/chess/master/pgn/a%2Fb~1", "/", "/chess/master/pgn/a%2Fb~1"},
           {"/masters/pgn/%20%2", "/", "/masters/pgn/%20%2"},
           {"/masters?fen=a%2Fb", "/", "/masters?fen=a%2Fb"},
           {"/a%2Fmasters/pgn/b%2F1", "/", "/a%2Fmasters/pgn/b%2F1"}}) {
    EXPECT_EQ(with_plain_id(sent, base), plain);
  }
}

struct Example {
  std::string_view address;
  std::string_view query;
  std::string_view set;   // with a slash at its end, if it is not empty
  std::string_view line;  // from the initial position if it does not begin with a board
};

TEST(ExplorerAddressTest, MeansAPathOfADatabase) {
  constexpr std::string_view kSicilian =
      "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
  const std::string sicilian = "rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w_KQkq_-_0_2";
  const std::string with_fen = fmt::format("fen={}", kSicilian);
  const std::string with_moves = with_fen + "&play=g1f3,d7d6";
  const std::string sicilian_moves = sicilian + "/g1f3,d7d6";
  const std::vector<Example> examples = {
      {"/masters", "", "", ""},
      {"/lichess", "", "", ""},
      {"/master", "play=e2e4", "", "e2e4"},
      {"/masters", "fen=&play=&since=&until=&ratings=&moves=&topGames=&db=&variant=", "", ""},
      {"/masters", "variant=standard", "", ""},
      {"/masters", "variant=chess&speeds=blitz&speeds=rapid&modes[]=rated&modes=&x&=&%=y", "", ""},
      {"/masters", "FEN=1&Play=2&moves[x]=y&fen[][]=3", "", ""},
      {"/masters", "play=e2e4", "", "e2e4"},
      {"/lichess", "play=e2e4,c7c5", "", "e2e4,c7c5"},
      {"/lichess", "play=e2e4&play[]=c7c5&play=g1f3,d7d6", "", "e2e4,c7c5,g1f3,d7d6"},
      {"/lichess", with_fen, "", sicilian},
      {"/lichess", with_moves, "", sicilian_moves},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8 b", "", "8-8-8-3k4-8-3K4-3P4-8_b"},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8_b_-_-", "", "8-8-8-3k4-8-3K4-3P4-8_b_-_-"},
      {"/masters", "fen=8/3P4/8/3k4/8/3K4/8/8 w - -&play=d7d8n", "",
       "8-3P4-8-3k4-8-3K4-8-8_w_-_-/d7d8n"},
      {"/masters", "fen=4k3/8/8/8/8/8/8/4K2R w K -&play=e1h1", "",
       "4k3-8-8-8-8-8-8-4K2R_w_K_-/e1h1"},
      {"/masters", "fen=4k3/8/8/8/8/8/8/4K2R w K -&play=e1g1", "",
       "4k3-8-8-8-8-8-8-4K2R_w_K_-/e1g1"},
      {"/masters", "since=1900&until=1950", "search/date=1900..1950/", ""},
      {"/lichess", "since=1900&until=1950", "search/date=1900..1950/", ""},
      {"/masters", "until=1850", "search/date=..1850/", ""},
      {"/masters", "since=1990-06&play=d2d4", "search/date=1990.06../", "d2d4"},
      {"/lichess", "since=1990-6&until=1990-06", "search/date=1990.06..1990.06/", ""},
      {"/lichess", "since=199&until=9-01",
       "refused: since, until: the range of date ends before "
       "it begins",
       ""},
      {"/lichess", "since=1&until=2999-12", "search/date=0001..2999.12/", ""},
      // What lichess says are the bounds of who gives none.
      {"/lichess", "since=0000-01&until=3000-12", "", ""},
      {"/lichess", "since=0&until=2014", "search/date=..2014/", ""},
      {"/lichess", "since=3000", "search/date=3000../", ""},
      {"/lichess", "ratings=1600,1800", "search/elo=1600..1999/", ""},
      {"/lichess", "ratings=2200,2000&speeds=blitz", "search/elo=2000..2499/", ""},
      {"/lichess", "ratings[]=2500&ratings[]=2200", "search/elo=2200../", ""},
      {"/lichess", "ratings=0", "search/elo=1..999/", ""},
      {"/lichess", "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500", "search/elo=1../", ""},
      {"/lichess", "ratings=0,2200&since=1990", "search/date=1990../elo=1..2499/", ""},
      {"/lichess", "ratings=2800,3200", "search/elo=2500../", ""},
      {"/lichess", "ratings=1000,1199", "search/elo=1000..1199/", ""},
      {"/masters", "ratings=2500", "search/elo=2500../", ""},
      {"/masters", "player=x&color=y", "", ""},
      {"/player", "player=Carlsen,M&color=white", "search/white=Carlsen,M/", ""},
      {"/player", "player[]=Carlsen, M&color=black&play=e2e4,c7c5&until=1990&ratings=2200",
       "search/black=Carlsen,_M/date=..1990/elo=2200..2499/", "e2e4,c7c5"},
  };
  for (const auto& [address, query, set, line] : examples) {
    const std::string_view after_start = line.empty() ? "" : "/";
    const std::string position = line.find('_') != std::string_view::npos
                                     ? std::string(line)
                                     : fmt::format("{}{}{}", kStart, after_start, line);
    const std::string expected = set.starts_with("refused")
                                     ? std::string(set)
                                     : fmt::format("{}positions/{}/explorer.json", set, position);
    EXPECT_EQ(path_of(address, pairs_of(query)), expected) << address << '?' << query;
  }
}

TEST(ExplorerAddressTest, RefusesValuesWithoutAMeaning) {
  const std::string long_name(300, 'x');
  const std::string long_text(4096, '%');
  std::string long_line = "play=g1f3";
  for (int i = 0; i < 204; ++i) long_line += ",g8f6,f3g1,f6g8,g1f3";
  constexpr std::string_view kDate = "a year or a month such as 2014 or 2014-06 is wanted";
  const std::string since = fmt::format("since: {}", kDate);
  const std::string until = fmt::format("until: {}", kDate);
  const std::string play = "play: moves such as e2e4,c7c5 are wanted";
  const std::string fen = "fen: it has a character that is in no FEN";
  const std::string ratings = "ratings: numbers such as 1600,1800 are wanted";
  const std::string number = "moves: a number such as 12 is wanted";
  const std::string variant = "variant: there is only standard chess here";
  const std::string database = "db: it is no path of a database";
  const std::string color = "color: white or black is wanted";
  const std::string name = "player: it has control characters, or is not UTF-8";
  const std::vector<std::tuple<std::string_view, std::string, std::string>> examples = {
      {"/masters", "fen=nothing", "fen: "},
      {"/masters", "fen=startpos", "fen: "},
      {"/masters", "fen=8/8/8/8/8/8/8/8 w", "fen: "},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8", "fen: a FEN has two fields here"},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8 b ", "fen: a FEN has two fields here"},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8  b", "fen: a FEN has two fields here"},
      {"/masters", "fen=/", "fen: "},
      {"/masters", "fen=-", "fen: "},
      {"/masters", "fen= ", "fen: "},
      {"/masters", "fen=" + std::string(4096, '8'), "fen: "},
      {"/masters", "fen=../../club.si4", fen},
      {"/masters", "fen=..", fen},
      {"/masters", "fen=" + long_text, fen},
      {"/masters", "fen=8\n8", fen},
      {"/masters", std::string("fen=8\0", 6), fen},
      {"/masters", "fen=8%2F8", fen},
      {"/masters", "fen=\xC3\xA9", fen},
      {"/masters", "fen=8/8/8/3k4/8/3K4/3P4/8 b&fen=8/8/8/3k4/8/3K4/3P4/8 w",
       "fen: it is given more than once"},
      {"/masters", "play=e2e5", "play: ply 1: not legal here"},
      {"/masters", "play=e2e4,e2e4", "play: ply 2"},
      {"/masters", "play=e2e4q", "play: "},
      {"/masters", "play=e4", play},
      {"/masters", "play=,", play},
      {"/masters", "play=e2e4,", play},
      {"/masters", "play=,e2e4", play},
      {"/masters", "play=e2e4,,c7c5", play},
      {"/masters", "play=e2e4 c7c5", play},
      {"/masters", "play=E2E4", play},
      {"/masters", "play=0000", play},
      {"/masters", "play=--", play},
      {"/masters", "play=e2e4k", play},
      {"/masters", "play=i2e4", play},
      {"/masters", "play=e2e9", play},
      {"/masters", "play=e2e4,../../../games", play},
      {"/masters", "play=..", play},
      {"/masters", "play=/", play},
      {"/masters", "play=explorer.json", play},
      {"/masters", "play=" + long_text, play},
      {"/masters", std::string("play=e2e4\0", 10), play},
      {"/masters", long_line, "play: ply 817: the query is too long"},
      {"/masters", "since=yesterday", since},
      {"/lichess", "since=2000/../..", since},
      {"/lichess", "since=..", since},
      {"/lichess", "since=-", since},
      {"/lichess", "since=2014-", since},
      {"/lichess", "since=-06", since},
      {"/lichess", "since=2014-00", since},
      {"/lichess", "since=2014-13", since},
      {"/lichess", "since=2014-06-01", since},
      {"/lichess", "since=2014.06", since},
      {"/lichess", "since=10000", since},
      {"/lichess", "since=+2014", since},
      {"/lichess", "since=" + long_text, since},
      {"/lichess", "since=" + std::string(4096, '9'), since},
      {"/lichess", "until=", "positions/"},
      {"/lichess", "until=0", until},
      {"/lichess", "until=0000-12", until},
      {"/lichess", "until=2014-6x", until},
      {"/lichess", "until=10000", until},
      {"/lichess", "since=2000&until=1990",
       "since, until: the range of date ends before it begins"},
      {"/lichess", "since=2000-07&until=2000-06", "since, until: the range of date ends"},
      {"/lichess", "since=1990&since=2000", "since: it is given more than once"},
      {"/lichess", "ratings=good", ratings},
      {"/lichess", "ratings=,", ratings},
      {"/lichess", "ratings=1600,,1800", ratings},
      {"/lichess", "ratings=1600,x", ratings},
      {"/lichess", "ratings=-1", ratings},
      {"/lichess", "ratings=1600..", ratings},
      {"/lichess", "ratings=99999999999", ratings},
      {"/lichess", "ratings=" + long_text, ratings},
      {"/masters", "moves=many", number},
      {"/masters", "moves=-1", number},
      {"/masters", "moves=1.5", number},
      {"/masters", "moves=12 ", number},
      {"/masters", "moves=99999999999999999999", number},
      {"/masters", "moves=3&moves=4", "moves: it is given more than once"},
      {"/masters", "topGames=x", "topGames: a number such as 12 is wanted"},
      {"/masters", "recentGames=x", "recentGames: a number such as 12 is wanted"},
      {"/masters", "variant=chess960", variant},
      {"/masters", "variant=Standard", variant},
      {"/masters", "variant=" + long_text, variant},
      {"/masters", "db=..", database},
      {"/masters", "db=.", database},
      {"/masters", "db=/mega.si4", database},
      {"/masters", "db=mega.si4/", database},
      {"/masters", "db=a//mega.si4", database},
      {"/masters", "db=a/../mega.si4", database},
      {"/masters/pgn/1", "db=..", database},
      {"/masters", std::string("db=a\0", 5), database},
      {"/player", "", "player: it is missing"},
      {"/player", "player=&color=white", "player: it is missing"},
      {"/player", "color=white", "player: it is missing"},
      {"/player", "player=Kasparov", color},
      {"/player", "player=Kasparov&color=red", color},
      {"/player", "player=Kasparov&color=White", color},
      {"/player", "player=Kasparov&color=white&color=black", "color: it is given more than once"},
      {"/player", "player=a&player=b&color=white", "player: it is given more than once"},
      {"/player", "color=white&player=" + long_name, "player: white takes 255 bytes at most"},
      {"/player", "color=black&player=" + long_text, "player: black takes 255 bytes at most"},
      {"/player", "color=white&player=a\nb", name},
      {"/player",
       "color=white&player=a\x01"
       "b",
       name},
      {"/player", "color=white&player=a\x02", name},
      {"/player", "color=white&player=a\x7F", name},
      {"/player", "color=white&player=a\xC2\x85", name},
      {"/player", "color=white&player=a\xFF", name},
      {"/player", "color=white&player=\xC0\xAE\xC0\xAE", name},
      {"/player", std::string("color=white&player=a\0b", 22), name},
  };
  for (const auto& [address, query, why] : examples) {
    const std::string refused = why == "positions/" ? why : "refused: " + why;
    EXPECT_THAT(path_of(address, pairs_of(query)), StartsWith(refused)) << address << '?' << query;
  }
}

// No character of a name is a wildcard or an escape.
TEST(ExplorerAddressTest, FindsAPlayerByAnyName) {
  std::vector<std::string> names = {"*",
                                    "?",
                                    "%",
                                    "%2A",
                                    "100%25",
                                    "_unknown",
                                    "_",
                                    "a~2",
                                    "..",
                                    ".",
                                    "../../x",
                                    "a/b",
                                    "-x",
                                    "a b",
                                    "a_b",
                                    " a ",
                                    "a,b",
                                    "a&b=c",
                                    "not-a",
                                    "Analysis\\ Analyse",
                                    "O'Kelly [\"x\"]",
                                    "J\xC3\xBC"
                                    "rgen",
                                    "\xD0\x9A\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2",
                                    std::string(255, '*')};
  for (char c = ' '; c < '\x7F'; ++c) names.push_back(fmt::format("Name{}7", c));
  for (const std::string& name : names) {
    const absl::StatusOr<ExplorerQuestion> question =
        explorer_question("/player", Pairs{{"player", name}, {"color", "black"}});
    ASSERT_TRUE(question.ok()) << name << ": " << question.status();
    ASSERT_EQ(question->names.size(), 5U) << name;
    EXPECT_EQ(question->names[0], "search");
    EXPECT_EQ(question->names[2], "positions");
    const std::string& facet = question->names[1];
    EXPECT_THAT(facet, StartsWith("black="));
    EXPECT_THAT(facet, Not(HasSubstr("/")));
    const absl::StatusOr<Facet> parsed = parse_facet(facet);
    ASSERT_TRUE(parsed.ok()) << facet << ": " << parsed.status();
    ASSERT_EQ(parsed->alternatives->size(), 1U) << facet;
    const auto& pattern = parsed->condition().as<NamePattern>();
    EXPECT_EQ(pattern.only(), std::nullopt) << facet;
    ASSERT_FALSE(pattern.means_unknown()) << facet;
    NameMatcher matcher(pattern);
    for (const std::string& other : names) {
      const bool is_same = fold_text(name) == fold_text(other);
      EXPECT_EQ(matcher.matches(other), is_same) << facet << ", " << other;
    }
    for (const char* const other : {"x", "Name7", "NameXX7", "Kasparov, Gary"}) {
      EXPECT_FALSE(matcher.matches(other)) << facet << ", " << other;
    }
  }
}

TEST(ExplorerAddressTest, ReadsGamesLimitsAndDatabases) {
  const ExplorerQuestion plain = asked("/masters", "");
  EXPECT_EQ(plain.moves, 12U);
  EXPECT_EQ(plain.top_games, 15U);
  EXPECT_EQ(plain.recent_games, 8U);
  EXPECT_THAT(plain.database, IsEmpty());
  EXPECT_FALSE(plain.is_game);
  EXPECT_FALSE(plain.is_stream);

  const ExplorerQuestion limited =
      asked("/player", "player=x&color=white&moves=0&topGames=4&recentGames=100&db=a/mega.si4");
  EXPECT_EQ(limited.moves, 0U);
  EXPECT_EQ(limited.top_games, 4U);
  EXPECT_EQ(limited.recent_games, 100U);
  EXPECT_THAT(limited.database, ElementsAre("a", "mega.si4"));
  EXPECT_FALSE(limited.is_game);
  EXPECT_TRUE(limited.is_stream);

  const std::vector<std::array<std::string_view, 4>> games = {
      {"/masters/pgn/12345", "", "games/12345.pgn", ""},
      {"/master/pgn/7", "fen=nonsense&moves=x&variant=x", "games/7.pgn", ""},
      {"/masters/pgn/7", "db=a/mega.si4", "games/7.pgn", "a/mega.si4"},
      {"/masters/pgn/twic.si4~7", "db=mega.si4", "games/7.pgn", "twic.si4"},
      {"/masters/pgn/a/b~2.si4~7", "", "games/7.pgn", "a/b~2.si4"},
  };
  for (const auto& [address, query, path, database] : games) {
    const ExplorerQuestion question = asked(address, query);
    EXPECT_EQ(fmt::format("{}", fmt::join(question.names, "/")), path) << address;
    EXPECT_EQ(fmt::format("{}", fmt::join(question.database, "/")), database) << address;
    EXPECT_TRUE(question.is_game) << address;
    EXPECT_FALSE(question.is_stream) << address;
  }
}

// With any value, a question leads to explorer.json of a position, or is refused.
TEST(ExplorerAddressTest, NoValueLeadsElsewhere) {
  constexpr std::array<std::string_view, 8> kParameters = {"fen",     "play",   "since", "until",
                                                           "ratings", "player", "moves", "color"};
  const std::vector<std::string> pieces = {
      "..", "/",     "%2e",  "%00",  "_",       "-",    ",",  "e2e4",
      "8/", " w ",   "KQkq", "2014", "-06",     "*",    "~1", "\\",
      "=",  "white", "\xC0", "\n",   "games",   ".pgn", "",   "1600",
      "k",  "\x02",  "4K3/", ".",    "search/", "k7/",  "8",  std::string(1, '\0')};
  tests::Random random(1);
  int answered = 0;
  for (int i = 0; i < 20'000; ++i) {
    Pairs query = {{"color", random.one_in(2) ? "white" : "black"}};
    for (std::size_t count = random.below(3); count-- > 0;) {
      std::string value;
      for (std::size_t rest = random.below(5); rest-- > 0;) {
        value += pieces[random.below(pieces.size())];
      }
      query.emplace_back(kParameters[random.below(kParameters.size())], value);
    }
    const absl::StatusOr<ExplorerQuestion> question = explorer_question("/player", query);
    if (!question.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(question.status())) << question.status();
      continue;
    }
    ++answered;
    ASSERT_GE(question->names.size(), 5U);
    EXPECT_EQ(question->names[0], "search");
    EXPECT_THAT(question->names[1], testing::AnyOf(StartsWith("white="), StartsWith("black=")));
    EXPECT_EQ(question->names.back(), "explorer.json");
    for (const std::string& name : question->names) {
      EXPECT_TRUE(!name.empty() && name != "." && name != "..") << name;
      EXPECT_EQ(name.find('/'), std::string::npos) << name;
      EXPECT_EQ(name.find('\0'), std::string::npos) << name;
    }
  }
  EXPECT_GT(answered, 500);
}

class ExplorerAnswerTest : public LibraryTest {
 protected:
  std::string answer(std::string_view database, const ExplorerQuestion& question) const {
    return text(fmt::format("{}/{}", database, fmt::join(question.names, "/")));
  }
};

TEST_F(ExplorerAnswerTest, QuestionsLeadToFilesOfTheTree) {
  put("sample", tests::read_scid_files(tests::test_data("sample/sample")));
  open(source_);
  constexpr std::string_view kDatabase = "sample.si4";
  const std::string rows = text("sample.si4/players.tsv");
  const std::string player = tests::rows_of(rows).at(0).at(0);
  const std::vector<std::string> queries = {
      "",
      "play=e2e4,c7c5",
      "since=1900&until=2020-06",
      "ratings=0,2200",
      "ratings=2500",
      "fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2&play=g1f3,d7d6",
      "fen=8/8/8/3k4/8/3K4/3P4/8 b"};
  for (const char* const address : {"/masters", "/lichess", "/player"}) {
    for (const std::string& query : queries) {
      SCOPED_TRACE(fmt::format("{}?{}", address, query));
      const ExplorerQuestion question =
          asked(address, fmt::format("{}&player={}&color=white", query, player));
      EXPECT_TRUE(Json::parse(answer(kDatabase, question)).is_object());
    }
  }
  // The answers are those of the set that is meant.
  const auto games_of = [&](const ExplorerQuestion& question) {
    const Json json = Json::parse(answer(kDatabase, question));
    return json["white"].get<int>() + json["draws"].get<int>() + json["black"].get<int>();
  };
  const int all = games_of(asked("/masters", ""));
  const int of_player = games_of(asked("/player", fmt::format("player={}&color=white", player)));
  EXPECT_GT(of_player, 0);
  EXPECT_GT(all, of_player);
  EXPECT_EQ(games_of(asked("/player", "player=*&color=white")), 0);
  EXPECT_EQ(games_of(asked("/player", "player=../../sample.si4&color=white")), 0);
}

TEST_F(ExplorerAnswerTest, IdsOfGamesLeadToThem) {
  put("one", tests::read_scid_files(tests::test_data("sample/sample")));
  std::filesystem::create_directory(source_ / "sub");
  put("sub/two", tests::read_scid_files(tests::test_data("sample/sample")));
  open(source_);
  const Json json = Json::parse(answer("together", asked("/masters", "play=e2e4")));
  ASSERT_FALSE(json["topGames"].empty());
  ASSERT_FALSE(json["recentGames"].empty());
  std::vector<std::string> databases;
  for (const char* const list : {"topGames", "recentGames"}) {
    for (const auto& game : json[list]) {
      const std::string address = "/masters/pgn/" + game["id"].get<std::string>();
      ASSERT_TRUE(is_explorer_address(address)) << address;
      const ExplorerQuestion question = asked(address, "");
      databases.push_back(fmt::format("{}", fmt::join(question.database, "/")));
      const std::string pgn = answer(databases.back(), question);
      for (const char* const side : {"white", "black"}) {
        EXPECT_THAT(pgn, HasSubstr(fmt::format("\"{}\"]", game[side]["name"].get<std::string>())))
            << address;
      }
    }
  }
  EXPECT_THAT(databases, testing::Contains("one.si4"));
  EXPECT_THAT(databases, testing::Contains("sub/two.si4"));
}

TEST_F(ExplorerAnswerTest, ListsAreCutAndNothingElse) {
  put("sample", tests::read_scid_files(tests::test_data("sample/sample")));
  open(source_);
  const std::string whole = answer("sample.si4", asked("/masters", ""));
  const Json all = Json::parse(whole);
  ASSERT_GE(all["moves"].size(), 5U);
  ASSERT_EQ(all["topGames"].size(), 15U);
  ASSERT_EQ(all["recentGames"].size(), 8U);
  struct Limits {
    std::size_t moves, top_games, recent_games;
  };
  for (const auto& [moves, top_games, recent_games] : std::vector<Limits>{{100, 15, 8},
                                                                          {0, 15, 8},
                                                                          {1, 15, 8},
                                                                          {4, 15, 8},
                                                                          {100, 0, 8},
                                                                          {100, 14, 8},
                                                                          {100, 15, 0},
                                                                          {100, 15, 7},
                                                                          {0, 0, 0},
                                                                          {1, 1, 1},
                                                                          {3, 2, 4},
                                                                          {100, 100, 100}}) {
    SCOPED_TRACE(fmt::format("{}, {}, {}", moves, top_games, recent_games));
    ExplorerQuestion question;
    question.moves = moves;
    question.top_games = top_games;
    question.recent_games = recent_games;
    const auto cut = [&all](const char* list, std::size_t most) {
      Json kept = Json::array();
      for (const auto& item : all[list]) {
        if (kept.size() < most) kept.push_back(item);
      }
      return kept;
    };
    Json expected = all;
    expected["moves"] = cut("moves", moves);
    expected["topGames"] = cut("topGames", top_games);
    expected["recentGames"] = cut("recentGames", recent_games);
    EXPECT_EQ(cut_explorer_json(whole, question), expected.dump() + '\n');
  }
}

TEST(ExplorerCutTest, KnowsListsFromTextsAndListsWithin) {
  ExplorerQuestion one;
  one.moves = one.top_games = one.recent_games = 1;
  const std::vector<std::pair<std::string_view, std::string_view>> examples = {
      {R"({"moves":[]})", R"({"moves":[]})"},
      {R"({"moves":[{"san":"e4"}]})", R"({"moves":[{"san":"e4"}]})"},
      {R"({"moves":[{"game":{"n":"],}\"[{"}},{"game":null}],"topGames":[],"recentGames":[]})",
       R"({"moves":[{"game":{"n":"],}\"[{"}}],"topGames":[],"recentGames":[]})"},
      {R"({"moves":[{"a":[1,2,3],"moves":[1,2]},2],"opening":{"moves":[1,2]},"topGames":[1,2,3]})",
       R"({"moves":[{"a":[1,2,3],"moves":[1,2]}],"opening":{"moves":[1,2]},"topGames":[1]})"},
      {R"({"a":"\\","moves":["\\",2],"b":"\"moves\":[1,2]"})",
       R"({"a":"\\","moves":["\\"],"b":"\"moves\":[1,2]"})"},
      {R"({"a":[1,2],"b":{"c":1,"d":2},"recentGames":[1,2]})",
       R"({"a":[1,2],"b":{"c":1,"d":2},"recentGames":[1]})"},
  };
  for (const auto& [json, cut] : examples) EXPECT_EQ(cut_explorer_json(json, one), cut) << json;
}

}  // namespace
}  // namespace scidfs::fs
