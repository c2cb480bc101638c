#include "fs/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using codec::scid::IndexEntry;
using codec::scid::NameKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Numbers = std::vector<GameIndex>;

FacetGroup group(const std::vector<std::string>& names) {
  FacetGroup facets;
  for (const std::string& name : names) {
    absl::StatusOr<Facet> facet = parse_facet(name);
    EXPECT_TRUE(facet.ok()) << name << ": " << facet.status();
    if (facet.ok()) facets.push_back(*std::move(facet));
  }
  return facets;
}

Numbers numbers_of(const absl::StatusOr<DeltaList>& games) {
  EXPECT_TRUE(games.ok()) << games.status();
  Numbers numbers;
  if (!games.ok()) return numbers;
  for (const GameIndex game : games_in(*games)) numbers.push_back(game + 1);
  return numbers;
}

// The fields in which most games of these tests differ.
struct Facts {
  std::uint32_t flags = 0;
  std::uint32_t white = 0, black = 0, event = 0, site = 0, round = 0;
  codec::Date date{};
  codec::Rating white_rating{}, black_rating{};
  codec::EcoCode eco = 0;
  Result result = Result::Unknown;
};

class SearchTest : public DatabaseTest {
 protected:
  std::uint32_t name(NameKind kind, std::string_view text) { return builder_.name(kind, text); }
  std::uint32_t player(std::string_view text) { return name(NameKind::Player, text); }
  void add(const Facts& facts, const std::string& record = tests::ScidEncoder().record()) {
    IndexEntry entry;
    entry.flags = facts.flags;
    entry.white = facts.white;
    entry.black = facts.black;
    entry.event = facts.event;
    entry.site = facts.site;
    entry.round = facts.round;
    entry.date = facts.date;
    entry.white_rating = facts.white_rating;
    entry.black_rating = facts.black_rating;
    entry.eco = facts.eco;
    entry.result = facts.result;
    builder_.game(entry, record);
  }
  void add_entry(const IndexEntry& entry) { builder_.game(entry, tests::ScidEncoder().record()); }
  void load() { database_ = open(builder_.files()); }

  // Numbers of the games, from 1.
  Numbers find(const std::vector<std::vector<std::string>>& groups,
               const std::optional<Subject>& subject = std::nullopt,
               const WorkBudget& budget = WorkBudget::unlimited(nullptr)) {
    std::vector<FacetGroup> facets;
    for (const auto& names : groups) facets.push_back(group(names));
    return numbers_of(
        search(DatabaseGames(database_, database_->shown()), subject, facets, budget));
  }
  Numbers find(const char* facet) { return find(std::vector<std::vector<std::string>>{{facet}}); }

  tests::ScidFilesBuilder builder_;
  DatabasePtr database_;
};

TEST_F(SearchTest, FindsNamesIgnoringCaseAndAccents) {
  const std::vector<std::string> names = {"Carlsen, M", "CARLSEN, Henrik", "Café",  "Cafe", "?", "",
                                          "a_b*",       "Łukasz",          "Straße"};
  const std::uint32_t other = player("Other");
  for (const std::string& text : names) add({.white = player(text), .black = other});
  add({.white = 1000, .black = other});  // not in the name file: shown as `?`
  load();
  EXPECT_THAT(find("player=carlsen,_m"), ElementsAre(1));
  EXPECT_THAT(find("player=carlsen"), IsEmpty());
  EXPECT_THAT(find("player=Carlsen*"), ElementsAre(1, 2));
  EXPECT_THAT(find("player=*n,_?"), ElementsAre(1));
  EXPECT_THAT(find("white=*ar*"), ElementsAre(1, 2));
  EXPECT_THAT(find("black=*ar*"), IsEmpty());
  EXPECT_THAT(find("player=CAF%C3%89"), ElementsAre(3, 4));
  EXPECT_THAT(find("player=caf?"), ElementsAre(3, 4));
  EXPECT_THAT(find("white=_unknown"), ElementsAre(5, 6, 10));
  EXPECT_THAT(find("black=_unknown"), IsEmpty());
  EXPECT_THAT(find("white=%3F"), ElementsAre(5, 6, 10)) << "an empty name counts as `?`";
  EXPECT_THAT(find("white=?"), ElementsAre(5, 6, 10));
  EXPECT_THAT(find("white=*").size(), 10U);
  EXPECT_THAT(find("player=a%5Fb%2A"), ElementsAre(7));
  // The spelling in the name of the player's directory.
  EXPECT_THAT(find("player=a_b%2A"), ElementsAre(7));
  EXPECT_THAT(find("player=a%20b*"), ElementsAre(7));
  EXPECT_THAT(find("player=lukasz"), IsEmpty());
  EXPECT_THAT(find("player=%C5%82UKASZ"), ElementsAre(8));
  EXPECT_THAT(find("player=STRASSE"), ElementsAre(9));
  EXPECT_THAT(find("player=other").size(), 10U);
  for (const std::string key : {"not-white=", "not-player="}) {
    EXPECT_THAT(find({{key + "carlsen*"}}), ElementsAre(3, 4, 7, 8, 9)) << key;
    EXPECT_THAT(find({{key + "c*"}}), ElementsAre(7, 8, 9)) << key;
    EXPECT_THAT(find({{key + "nobody"}}), ElementsAre(1, 2, 3, 4, 7, 8, 9)) << key;
    EXPECT_THAT(find({{key + "_unknown"}}), ElementsAre(1, 2, 3, 4, 7, 8, 9)) << key;
    EXPECT_THAT(find({{key + "*"}}), IsEmpty()) << key;
  }
  EXPECT_THAT(find("not-black=carlsen*").size(), 10U);
  EXPECT_THAT(find("not-player=other"), IsEmpty());
}

TEST_F(SearchTest, FindsEventsSitesAndRounds) {
  const std::uint32_t cup = name(NameKind::Event, "Cup");
  const std::uint32_t league = name(NameKind::Event, "League");
  const std::uint32_t town = name(NameKind::Site, "Town");
  const std::uint32_t nowhere = name(NameKind::Site, "?");
  const std::uint32_t one = name(NameKind::Round, "1");
  const std::uint32_t two = name(NameKind::Round, "1.2");
  add({.event = cup, .site = town, .round = one});
  add({.event = league, .site = nowhere, .round = two});
  load();
  EXPECT_THAT(find("event=cup"), ElementsAre(1));
  EXPECT_THAT(find("event=town"), IsEmpty());
  EXPECT_THAT(find("site=town"), ElementsAre(1));
  EXPECT_THAT(find("site=_unknown"), ElementsAre(2));
  EXPECT_THAT(find("round=1"), ElementsAre(1));
  EXPECT_THAT(find("round=1.*"), ElementsAre(2));
  EXPECT_THAT(find("not-event=cup"), ElementsAre(2));
  EXPECT_THAT(find("not-site=nowhere"), ElementsAre(1));
  EXPECT_THAT(find("not-round=1.2"), ElementsAre(1));
}

TEST_F(SearchTest, FindsDates) {
  const std::vector<codec::Date> dates = {{},                                      // 1
                                          {.year = 2010},                          // 2
                                          {.year = 2010, .month = 4},              // 3
                                          {.year = 2010, .month = 5, .day = 17},   // 4
                                          {.year = 2010, .month = 15},             // 5
                                          {.year = 2012},                          // 6
                                          {.year = 2013},                          // 7
                                          {.year = 2013, .month = 5},              // 8
                                          {.year = 2013, .month = 5, .day = 17},   // 9
                                          {.year = 2013, .month = 6},              // 10
                                          {.year = 0, .month = 5, .day = 17},      // 11
                                          {.year = 2013, .month = 0, .day = 17}};  // 12
  for (const codec::Date date : dates) add({.date = date});
  load();
  EXPECT_THAT(find("year=2010"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(find("year=..2012"), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(find("year=.."), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 12));
  EXPECT_THAT(find("month=5"), ElementsAre(4, 8, 9, 11));
  EXPECT_THAT(find("month=5.."), ElementsAre(4, 5, 8, 9, 10, 11));
  EXPECT_THAT(find("month=1..12"), ElementsAre(3, 4, 8, 9, 10, 11));
  EXPECT_THAT(find("date=2010"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(find("date=2010.05"), ElementsAre(4));
  EXPECT_THAT(find("date=2010.05.."), ElementsAre(4, 5, 6, 7, 8, 9, 10, 12));
  EXPECT_THAT(find("date=..2013.05"), ElementsAre(2, 3, 4, 5, 6, 8, 9));
  EXPECT_THAT(find("date=..2013.05.17"), ElementsAre(2, 3, 4, 5, 6, 9));
  EXPECT_THAT(find("date=2013.05.17.."), ElementsAre(9, 10));
  EXPECT_THAT(find("date=2010.05..2013"), ElementsAre(4, 5, 6, 7, 8, 9, 10, 12));
  EXPECT_THAT(find("date=2013.05..2013"), ElementsAre(8, 9, 10));
  EXPECT_THAT(find("date=.."), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 12));
  EXPECT_THAT(find("year=2010,2012"), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(find("date=2010.05,2013.06,2012"), ElementsAre(4, 6, 10));
  EXPECT_THAT(find("not-year=2010..2012"), ElementsAre(7, 8, 9, 10, 12));
  EXPECT_THAT(find("not-year=2010,2013"), ElementsAre(6));
  EXPECT_THAT(find("not-year=.."), IsEmpty());
  EXPECT_THAT(find("not-month=5"), ElementsAre(3, 5, 10));
  // A date that may or may not be meant is in neither.
  EXPECT_THAT(find("not-date=2010.05"), ElementsAre(3, 5, 6, 7, 8, 9, 10, 12));
  EXPECT_THAT(find("not-date=..2013.05"), ElementsAre(10));
  EXPECT_THAT(find("not-date=2013.05.17.."), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(find("not-date=2010.05.17,2013"), ElementsAre(3, 5, 6));
  EXPECT_THAT(find({{"year=..2012", "not-year=2010"}}), ElementsAre(6));
}

TEST_F(SearchTest, FindsResultsAndCodes) {
  add({.eco = 0, .result = Result::Unknown});
  add({.eco = 1, .result = Result::WhiteWins});                   // A00
  add({.eco = 1 + 131 * 190, .result = Result::BlackWins});       // B90
  add({.eco = 1 + 131 * 190 + 1, .result = Result::Draw});        // B90a
  add({.eco = 1 + 131 * 190 + 2, .result = Result::Draw});        // B90a1
  add({.eco = 1 + 131 * 191 - 1, .result = Result::Draw});        // B90z4
  add({.eco = 1 + 131 * 191, .result = Result::Draw});            // B91
  add({.eco = codec::kMaxEco, .result = Result::WhiteWins});      // E99z4
  add({.eco = codec::kMaxEco + 1, .result = Result::WhiteWins});  // none
  load();
  EXPECT_THAT(find("result=1-0"), ElementsAre(2, 8, 9));
  EXPECT_THAT(find("result=0-1"), ElementsAre(3));
  EXPECT_THAT(find("result=draw"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(find("result=unknown"), ElementsAre(1));
  EXPECT_THAT(find("eco=B"), ElementsAre(3, 4, 5, 6, 7));
  EXPECT_THAT(find("eco=B90"), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(find("eco=B90a"), ElementsAre(4, 5));
  EXPECT_THAT(find("eco=B90a1"), ElementsAre(5));
  EXPECT_THAT(find("eco=B91..C"), ElementsAre(7));
  EXPECT_THAT(find("eco=..B90a"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(find("eco=.."), ElementsAre(2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(find("eco=E99"), ElementsAre(8));
  EXPECT_THAT(find("result=1-0,0-1"), ElementsAre(2, 3, 8, 9));
  EXPECT_THAT(find("not-result=draw"), ElementsAre(1, 2, 3, 8, 9));
  EXPECT_THAT(find("not-result=1-0,0-1"), ElementsAre(1, 4, 5, 6, 7));
  EXPECT_THAT(find("eco=E99,B90"), ElementsAre(3, 4, 5, 6, 8));
  EXPECT_THAT(find("not-eco=E99,B90"), ElementsAre(2, 7));
  EXPECT_THAT(find("not-eco=B"), ElementsAre(2, 8));
}

TEST_F(SearchTest, FindsRatings) {
  using codec::RatingType;
  add({.white_rating = {.value = 2700}, .black_rating = {.value = 2500}});
  add({.white_rating = {.value = 2500}, .black_rating = {.value = 2700}});
  add({.white_rating = {.value = 2700}});
  add({.white_rating = {.value = 2000}, .black_rating = {.value = 1800, .type = RatingType::Dwz}});
  add({});
  load();
  EXPECT_THAT(find("elo=2700"), ElementsAre(1, 2, 3));
  EXPECT_THAT(find("elo=1800"), IsEmpty());
  EXPECT_THAT(find("elo=.."), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(find("white_elo=2600.."), ElementsAre(1, 3));
  EXPECT_THAT(find("black_elo=2600.."), ElementsAre(2));
  EXPECT_THAT(find("black_elo=..2600"), ElementsAre(1));
  EXPECT_THAT(find("elo_difference=200"), ElementsAre(1));
  EXPECT_THAT(find("elo_difference=..-200"), ElementsAre(2));
  EXPECT_THAT(find("elo_difference=.."), ElementsAre(1, 2));
  EXPECT_THAT(find("elo=2000,2500"), ElementsAre(1, 2, 4));
  // Who has no Elo, or a rating of another kind, might have any.
  EXPECT_THAT(find("not-elo=2000"), ElementsAre(1, 2));
  EXPECT_THAT(find("not-elo=2700"), IsEmpty());
  EXPECT_THAT(find("not-white_elo=2700"), ElementsAre(2, 4));
  EXPECT_THAT(find("not-black_elo=2700"), ElementsAre(1));
  EXPECT_THAT(find("not-elo_difference=200"), ElementsAre(2));
}

TEST_F(SearchTest, FindsFlagsStartsAndNumbers) {
  using codec::scid::kFlagStart;
  add({});
  add({.flags = 1U << codec::scid::kFlagWhiteOpening});
  add({.flags = 1U << codec::scid::kFlagWhiteOpening | 1U << codec::scid::kFlagTactics});
  add({.flags = 1U << kFlagStart | 1U << codec::scid::kFlagBlunder});
  load();
  EXPECT_THAT(find("flag=W"), ElementsAre(2, 3));
  EXPECT_THAT(find("flag=W+T"), ElementsAre(3));
  EXPECT_THAT(find("flag=?"), ElementsAre(4));
  EXPECT_THAT(find("flag=S"), ElementsAre(4));
  EXPECT_THAT(find("start=fen"), ElementsAre(4));
  EXPECT_THAT(find("start=standard"), ElementsAre(1, 2, 3));
  EXPECT_THAT(find("start=chess960"), IsEmpty());
  EXPECT_THAT(find("number=2"), ElementsAre(2));
  EXPECT_THAT(find("number=3.."), ElementsAre(3, 4));
  EXPECT_THAT(find("number=..4294967295").size(), 4U);
  EXPECT_THAT(find("number=100"), IsEmpty());
  EXPECT_THAT(find("flag=W+T,?"), ElementsAre(3, 4));
  EXPECT_THAT(find("not-flag=W+T,?"), ElementsAre(1, 2));
  EXPECT_THAT(find("start=fen,chess960"), ElementsAre(4));
  EXPECT_THAT(find("not-start=fen"), ElementsAre(1, 2, 3));
  EXPECT_THAT(find("number=1,3.."), ElementsAre(1, 3, 4));
  EXPECT_THAT(find("not-number=2..3"), ElementsAre(1, 4));
}

// The FEN of the standard position is no start of its own.
class StartSearchTest : public SearchTest {
 protected:
  static constexpr std::string_view kStandard =
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  static constexpr std::string_view kNoCastling =
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
  static constexpr std::string_view kEnding = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

  void add_with(std::string_view fen) { add_record(tests::ScidEncoder(fen).record()); }
  // Adds a game that has a FEN, as the index says.
  void add_record(const std::string& record) {
    add({.flags = 1U << codec::scid::kFlagStart}, record);
  }
};

TEST_F(StartSearchTest, FenOfStandardPositionIsNoStartOfItsOwn) {
  add({});
  add_with(kStandard);
  add_with(kNoCastling);
  add_with(kEnding);
  add_record(tests::ScidEncoder().record());  // has none
  add_record("");
  add_record(std::string("\0\1no position\0\x0F", 15));
  add_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
  load();
  EXPECT_THAT(find("start=standard"), ElementsAre(1, 2));
  EXPECT_THAT(find("start=fen"), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_THAT(find("not-start=fen"), ElementsAre(1, 2));
  EXPECT_THAT(find("not-start=standard"), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_THAT(find("start=fen,standard").size(), 8U);
  EXPECT_THAT(find("not-start=fen,standard"), IsEmpty());
  EXPECT_THAT(find("start=chess960"), IsEmpty());
  EXPECT_THAT(find("not-start=chess960").size(), 8U);
  EXPECT_THAT(find({{"start=standard", "flag=S"}}), ElementsAre(2));
  EXPECT_THAT(find({{"start=standard"}, {"start=fen"}}), IsEmpty());
  EXPECT_THAT(find({{"start=fen", "number=2..3", "text=nothing"}}), IsEmpty());
}

// Of a record only the beginning is read, or all if it has long tags.
TEST_F(StartSearchTest, LongTagsComeBeforeTheFen) {
  for (const std::string_view fen : {kStandard, kEnding}) {
    for (const std::size_t tags : {0, 7, 8, 9, 40}) {
      tests::ScidEncoder game(fen);
      for (std::size_t i = 0; i < tags; ++i) {
        game.tag("Tag" + std::to_string(i), std::string(codec::scid::kMaxTagValue, 'a'));
      }
      add_record(game.record());
    }
  }
  load();
  EXPECT_THAT(find("start=standard"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(find("start=fen"), ElementsAre(6, 7, 8, 9, 10));
}

// Blocks of games of all kinds, some without any FEN.
TEST_F(StartSearchTest, AgreesWithRecordsOfManyGames) {
  tests::Random random(5);
  Numbers standard, other;
  for (GameIndex game = 1; game <= 3000; ++game) {
    const std::uint64_t kind = game < 1000 || !random.one_in(10) ? 0 : random.below(3);
    if (kind == 0) add({});
    if (kind == 1) add_with(kStandard);
    if (kind == 2) add_with(kEnding);
    (kind == 2 ? other : standard).push_back(game);
  }
  load();
  EXPECT_EQ(find("start=standard"), standard);
  EXPECT_EQ(find("start=fen"), other);
}

TEST_F(StartSearchTest, OnlyGamesWithFenCost) {
  for (int i = 0; i < 400; ++i) add({});
  load();
  const auto cost_is_above = [this](const char* facet, std::size_t games) {
    return absl::IsUnavailable(search(DatabaseGames(database_, database_->shown()), std::nullopt,
                                      std::vector<FacetGroup>{group({facet})},
                                      WorkBudget::limited(games))
                                   .status());
  };
  EXPECT_FALSE(cost_is_above("start=standard", 2));
  for (int i = 0; i < 100; ++i) add_with(kStandard);
  load();
  EXPECT_TRUE(cost_is_above("start=standard", 99));
  EXPECT_TRUE(cost_is_above("not-start=fen", 99));
  EXPECT_FALSE(cost_is_above("start=standard", 102));
  EXPECT_FALSE(cost_is_above("start=chess960", 2));
  EXPECT_FALSE(cost_is_above("start=fen,standard", 2));
}

TEST_F(SearchTest, FindsFieldsStoredOnlyInIndexFile) {
  IndexEntry quiet;
  quiet.plies = 20;
  IndexEntry noted = quiet;
  noted.plies = 21;
  noted.comment_code = 1;
  IndexEntry branched;
  branched.plies = 0;
  branched.variation_code = 15;
  branched.nag_code = 2;
  // Queens, rooks, bishops, knights in two bits each, pawns in four; White first.
  const auto side = [](unsigned q, unsigned r, unsigned b, unsigned n, unsigned p) {
    return q << 10 | r << 8 | b << 6 | n << 4 | p;
  };
  quiet.material = side(0, 1, 0, 0, 1) << 12 | side(0, 1, 0, 0, 0);
  noted.material = side(0, 1, 0, 0, 0) << 12 | side(0, 1, 0, 0, 2);
  branched.material = side(3, 0, 0, 0, 0) << 12;
  add_entry(quiet);
  add_entry(noted);
  add_entry(branched);
  load();
  EXPECT_THAT(find("plies=20"), ElementsAre(1));
  EXPECT_THAT(find("plies=..20"), ElementsAre(1, 3));
  EXPECT_THAT(find("plies=0"), ElementsAre(3));
  EXPECT_THAT(find("annotated=comments"), ElementsAre(2));
  EXPECT_THAT(find("annotated=variations"), ElementsAre(3));
  EXPECT_THAT(find("annotated=nags"), ElementsAre(3));
  EXPECT_THAT(find("annotated=any"), ElementsAre(2, 3));
  EXPECT_THAT(find("annotated=no"), ElementsAre(1));
  EXPECT_THAT(find("material=KRPvKR"), ElementsAre(1));
  EXPECT_THAT(find("material=KRP+vKR"), ElementsAre(1, 2));
  EXPECT_THAT(find("material=KRPPvKR"), ElementsAre(2));
  EXPECT_THAT(find("material=KRvKR"), IsEmpty());
  EXPECT_THAT(find("material=KvKQQQ"), ElementsAre(3));
  EXPECT_THAT(find("material=KvKQQ"), IsEmpty());
  EXPECT_THAT(find("material=KQ+vK"), ElementsAre(3));
  EXPECT_THAT(find("plies=0,21"), ElementsAre(2, 3));
  EXPECT_THAT(find("not-plies=20"), ElementsAre(2, 3));
  EXPECT_THAT(find("annotated=comments,variations"), ElementsAre(2, 3));
  EXPECT_THAT(find("not-annotated=comments"), ElementsAre(1, 3));
  EXPECT_THAT(find("not-material=KRPvKR,KQ+vK"), ElementsAre(2));
}

TEST_F(SearchTest, FindsWholeWordsInComments) {
  const auto with_comment = [](std::string_view text) {
    return tests::ScidEncoder().move("e4").comment(text).move("e5").record();
  };
  add({}, with_comment("A novelty. Zugzwang!"));
  add({}, with_comment("zug\nzwang {in} two\t lines"));
  add({}, tests::ScidEncoder()
              .move("e4")
              .begin_variation()
              .move("d4")
              .comment("The NOVELT\xC3\x89 is\xE9")
              .end_variation()
              .record());
  add({}, tests::ScidEncoder().comment("before everything").move("e4").record());
  add({}, tests::ScidEncoder().move("e4").record());
  load();
  EXPECT_THAT(find("text=zugzwang"), ElementsAre(1));
  EXPECT_THAT(find("text=zug"), ElementsAre(2));
  EXPECT_THAT(find("text=zug*"), ElementsAre(1, 2));
  EXPECT_THAT(find("text=*zwang"), ElementsAre(1, 2));
  EXPECT_THAT(find("text=zug_zwang"), ElementsAre(2));
  EXPECT_THAT(find("text=in)_two_lines"), ElementsAre(2));
  EXPECT_THAT(find("text=a_novelty"), ElementsAre(1));
  EXPECT_THAT(find("text=novelte"), ElementsAre(3));
  EXPECT_THAT(find("text=novelt?"), ElementsAre(1, 3));
  EXPECT_THAT(find("text=ise"), ElementsAre(3));
  EXPECT_THAT(find("text=before*thing"), ElementsAre(4));
  EXPECT_THAT(find("text=every"), IsEmpty());
  EXPECT_THAT(find("text=*"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(find({{"text=novelty"}, {"text=zugzwang"}}), ElementsAre(1));
  EXPECT_THAT(find({{"text=novelty"}, {"text=zug"}}), IsEmpty());
  EXPECT_THAT(find("not-text=zug*"), ElementsAre(3, 4, 5));
  EXPECT_THAT(find("not-text=*"), ElementsAre(5));
  EXPECT_THAT(find({{"text=novelt?", "not-text=zugzwang"}}), ElementsAre(3));
  EXPECT_THAT(find({{"not-text=novelty"}, {"not-text=before*"}}), ElementsAre(2, 3, 5));
}

TEST_F(SearchTest, FindsOpponentsOfSubject) {
  const std::uint32_t anna = player("Anna");
  const std::uint32_t bert = player("Bert");
  const std::uint32_t carl = player("Carl");
  add({.white = anna, .black = bert});  // 1
  add({.white = bert, .black = anna});  // 2
  add({.white = anna, .black = carl});  // 3
  add({.white = carl, .black = bert});  // 4
  add({.white = bert, .black = bert});  // 5
  load();
  EXPECT_THAT(find({{"player=anna", "opponent=bert"}}), ElementsAre(1, 2));
  EXPECT_THAT(find({{"opponent=bert", "player=anna"}}), ElementsAre(1, 2));
  EXPECT_THAT(find({{"player=anna"}, {"opponent=bert"}}), ElementsAre(1, 2));
  EXPECT_THAT(find({{"player=bert", "opponent=bert"}}), ElementsAre(5));
  EXPECT_THAT(find({{"player=nobody", "opponent=bert"}}), IsEmpty());
  EXPECT_THAT(find({{"player=anna", "opponent=*"}}), ElementsAre(1, 2, 3));
  EXPECT_THAT(find({{"player=a*", "opponent=?ert"}}), ElementsAre(1, 2));
  // Without a subject: either player.
  EXPECT_THAT(find({{"opponent=bert"}}), ElementsAre(1, 2, 4, 5));
  // The subject of the set, with its color; not a player named later.
  const Subject as_white{.players = NameIds(anna), .color = codec::Color::White};
  EXPECT_THAT(find({{"opponent=bert"}}, as_white), ElementsAre(1));
  EXPECT_THAT(find({{"opponent=bert"}}, Subject{.players = NameIds(anna)}), ElementsAre(1, 2));
  EXPECT_THAT(find({{"opponent=bert"}, {"player=carl"}}, as_white), IsEmpty());
  // The nearest player before it.
  EXPECT_THAT(find({{"player=anna"}, {"player=bert"}, {"opponent=anna"}}), ElementsAre(1, 2));
  EXPECT_THAT(find({{"player=bert"}, {"year=.."}, {"opponent=carl"}}), IsEmpty());
  EXPECT_THAT(find({{"player=bert"}, {"number=.."}, {"opponent=carl"}}), ElementsAre(4));
  // What is not said of an opponent refers to the same subject.
  EXPECT_THAT(find({{"player=anna", "not-opponent=bert"}}), ElementsAre(3));
  EXPECT_THAT(find({{"player=bert"}, {"not-opponent=anna"}}), ElementsAre(4, 5));
  EXPECT_THAT(find({{"player=?ert", "not-opponent=bert"}}), ElementsAre(1, 2, 4));
  EXPECT_THAT(find({{"player=bert", "opponent=?a*", "not-opponent=carl"}}), IsEmpty());
  EXPECT_THAT(find({{"not-opponent=bert"}}), ElementsAre(3));
  EXPECT_THAT(find({{"not-opponent=bert"}}, as_white), ElementsAre(3));
  EXPECT_THAT(find({{"not-opponent=carl"}}, as_white), ElementsAre(1));
  // A player who is not there is no subject.
  EXPECT_THAT(find({{"not-player=anna", "opponent=bert"}}), ElementsAre(4, 5));
  EXPECT_THAT(find({{"not-player=carl", "opponent=bert"}}, as_white), ElementsAre(1));
}

TEST_F(SearchTest, DeterminesSubject) {
  const std::uint32_t anna = player("Anna");
  const std::uint32_t bert = player("Bert");
  add({.white = anna, .black = bert});
  load();
  const Subject of_set{.players = NameIds(anna), .color = codec::Color::White};
  const CommonPlayers players(database_);
  const auto subject = [&](const std::vector<FacetGroup>& groups) {
    return subject_of({.all = players}, of_set, groups, WorkBudget::unlimited(nullptr)).value();
  };
  EXPECT_EQ(subject({})->color, codec::Color::White);
  EXPECT_EQ(subject({group({"opponent=bert"})})->players.one(), anna);
  EXPECT_EQ(subject({group({"player=bert"})})->players.one(), bert);
  EXPECT_EQ(subject({group({"player=bert"})})->color, std::nullopt);
  EXPECT_EQ(subject({group({"not-player=bert"})})->players.one(), anna);
  EXPECT_EQ(subject({group({"player=anna"}), group({"player=bert"}), group({"year=2000"})})
                ->players.one(),
            bert);
  EXPECT_TRUE(subject({group({"player=*"})})->players.contains(anna));
  EXPECT_TRUE(subject({group({"player=*"})})->players.contains(1000));  // shown as `?`
  EXPECT_FALSE(subject({group({"player=nobody"})})->players.contains(anna));
  EXPECT_EQ(subject_of({.all = players}, std::nullopt, {}, WorkBudget::unlimited(nullptr)).value(),
            std::nullopt);
  EXPECT_TRUE(subject_of({.all = players}, std::nullopt, {}, WorkBudget::limited(0)).ok());
}

TEST_F(SearchTest, FindsOnlyGamesOfTheSet) {
  const std::uint32_t anna = player("Anna");
  constexpr std::uint32_t kDeleted = 1U << codec::scid::kFlagDeleted;
  for (unsigned i = 0; i < 10; ++i) add({.flags = i % 2 * kDeleted, .white = anna});
  load();
  EXPECT_THAT(find("player=anna"), ElementsAre(1, 3, 5, 7, 9));
  const std::vector<FacetGroup> anna_group = {group({"player=anna", "number=3..8"})};
  const DatabaseGames deleted(database_, database_->loaded().deleted(), Part::Deleted);
  EXPECT_THAT(numbers_of(search(deleted, std::nullopt, anna_group, WorkBudget::unlimited(nullptr))),
              ElementsAre(4, 6, 8));
  EXPECT_THAT(numbers_of(search(deleted, std::nullopt, {}, WorkBudget::unlimited(nullptr))),
              ElementsAre(2, 4, 6, 8, 10));
}

TEST_F(SearchTest, IsRefusedBeyondBudget) {
  const std::uint32_t anna = player("Anna");
  for (unsigned i = 0; i < 3000; ++i) add({.white = anna, .black = anna});
  load();
  const DatabaseGames all(database_, database_->shown());
  const auto status = [&](const char* facet, std::size_t games) {
    const std::vector<FacetGroup> groups = {group({facet})};
    return search(all, std::nullopt, groups, WorkBudget::limited(games)).status();
  };
  EXPECT_TRUE(absl::IsUnavailable(status("year=2000", 1)));
  EXPECT_TRUE(status("year=2000", 3).ok());
  EXPECT_TRUE(absl::IsUnavailable(status("year=2000,2002", 3)));
  EXPECT_TRUE(status("year=2000,2002", 6).ok());
  EXPECT_TRUE(absl::IsUnavailable(status("plies=2000", 100)));
  EXPECT_TRUE(status("plies=2000", 200).ok());
  EXPECT_TRUE(absl::IsUnavailable(status("text=x", 3000)));
  EXPECT_TRUE(status("text=x", 3003).ok());
}

TEST_F(SearchTest, IsRefusedIfNamesExceedBudget) {
  for (unsigned i = 0; i < 1000; ++i) player("Player " + std::to_string(i));
  add({});
  load();
  const DatabaseGames all(database_, database_->shown());
  const std::vector<FacetGroup> groups = {group({"player=*9"})};
  EXPECT_TRUE(
      absl::IsUnavailable(search(all, std::nullopt, groups, WorkBudget::limited(4)).status()));
  EXPECT_TRUE(search(all, std::nullopt, groups, WorkBudget::limited(5)).ok());
}

TEST_F(SearchTest, StopsWhenCancelled) {
  const std::uint32_t anna = player("Anna");
  for (unsigned i = 0; i < 3000; ++i) add({.white = anna, .black = anna});
  load();
  for (const char* const facet : {"player=anna", "year=2000", "plies=0", "text=x"}) {
    const std::vector<FacetGroup> groups = {group({facet})};
    const auto found = search(DatabaseGames(database_, database_->shown()), std::nullopt, groups,
                              WorkBudget::unlimited([] { return true; }));
    EXPECT_TRUE(absl::IsCancelled(found.status())) << facet << found.status();
  }
}

TEST_F(SearchTest, FailsIfIndexFileHasChanged) {
  for (unsigned i = 0; i < 300; ++i) {
    IndexEntry entry;
    entry.plies = static_cast<std::uint16_t>(i);
    add_entry(entry);
  }
  load();
  EXPECT_EQ(find("plies=..99").size(), 100U);
  std::filesystem::path index = game_file();
  index.replace_extension(".si4");
  std::fstream file(index, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-20, std::ios::end);
  file.put('\x55');
  file.close();
  const auto status = [this](const char* facet) {
    const std::vector<FacetGroup> groups = {group({facet})};
    return search(DatabaseGames(database_, database_->shown()), std::nullopt, groups,
                  WorkBudget::unlimited(nullptr))
        .status();
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(status("plies=..99"))) << status("plies=..99");
  EXPECT_TRUE(status("number=..99").ok());
  std::filesystem::resize_file(index, 100);
  EXPECT_FALSE(status("annotated=any").ok());
}

TEST_F(SearchTest, FailsIfGameFileHasChanged) {
  for (unsigned i = 0; i < 300; ++i) add({}, tests::ScidEncoder().comment("word").record());
  load();
  EXPECT_EQ(find("text=word").size(), 300U);
  tests::write_file(game_file(), std::string(std::filesystem::file_size(game_file()), 'x'));
  const std::vector<FacetGroup> groups = {group({"text=word"})};
  const auto found = search(DatabaseGames(database_, database_->shown()), std::nullopt, groups,
                            WorkBudget::unlimited(nullptr));
  EXPECT_FALSE(found.ok());
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("game"));
}

TEST_F(SearchTest, WorksWithoutNameAndGameFiles) {
  for (unsigned i = 0; i < 10; ++i) add({.white = i}, tests::ScidEncoder().comment("x").record());
  tests::ScidFiles files = builder_.files();
  files.names.clear();
  files.games.clear();
  database_ = open(files);
  EXPECT_EQ(find("player=_unknown").size(), 10U);
  EXPECT_EQ(find({{"player=*", "opponent=*"}}).size(), 10U);
  EXPECT_THAT(find("player=anna"), IsEmpty());
  EXPECT_THAT(find("text=*"), IsEmpty());
  EXPECT_EQ(find("plies=0").size(), 10U);
  for (const char* const facet :
       {"not-player=anna", "not-text=x", "not-line=e4", "not-reached=KvK", "not-event=x"}) {
    EXPECT_THAT(find(facet), IsEmpty()) << facet;
  }
}

}  // namespace
}  // namespace scidfs::fs
