// summary.txt of searches for names that no game has.
#include "fs/views/name_advice.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "fs/reference/opening_names.h"
#include "fs/reference/reference.h"
#include "fs/reference/spelling.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

using testing::StartsWith;

class NameAdviceTest : public LibraryTest {
 protected:
  void SetUp() override {
    tests::ScidWriter writer = example_database(20, 1);
    writer.add(record("e4 e5"), "Karpov, Anatoly", "Karpov,A");
    writer.add(record("d4 d5"), "50% Off/On", "Karpov,A");
    put("a", writer.files());
    tests::ScidWriter other = example_database(20, 2);
    other.add(record("c4"), "Karpov,A", "Kárpow, B");
    put("b", other.files());
    open(source_);
  }
};

TEST_F(NameAdviceTest, SummariesOfNoGamesNameTheNearestNames) {
  const struct {
    std::string search;  // in a.si4
    std::string advice;
  } cases[] = {
      {"player=Karpow,A", "no player `Karpow,A`; did you mean `Karpov,A`, `Karpov,_Anatoly`?\n"},
      {"white=Karpow,A/eco=B",
       "no player `Karpow,A`; did you mean `Karpov,A`, `Karpov,_Anatoly`?\n"},
      {"black=karpw*", "no player `karpw*`; did you mean `Karpov,A`, `Karpov,_Anatoly`?\n"},
      {"player=50%25_of", "no player `50%25_of`; did you mean `50%25_Off%2FOn`?\n"},
      {"player=Nobody_At_All", "no player `Nobody_At_All`\n"},
      {"player=Nobody/opponent=Blakc_1",
       "no player `Nobody`\n"
       "no player `Blakc_1`; did you mean `Black_1`?\n"},
      {"event=Nothing", "no event `Nothing`\n"},
      {"site=Nowhere/round=99", "no site `Nowhere`\nno round `99`\n"},
      // The names are known, but no game is one of theirs.
      {"player=Karpov,A/eco=E99", ""},
      {"player=Karpov,A/opponent=White_1", ""},
      {"player=Karp*/year=1700", ""},
      {"not-player=Karpow,A/year=1700", ""},
      {"player=_unknown", ""},
      {"year=1700", ""},
  };
  for (const auto& test : cases) {
    const std::string summary = text("a.si4/search/" + test.search + "/summary.txt");
    EXPECT_EQ(summary, test.search + "\nno games\n" + test.advice);
  }
}

TEST_F(NameAdviceTest, NamesOfAllDatabasesAreNear) {
  EXPECT_EQ(text("together/search/player=Karpow/summary.txt"),
            "All databases: player=Karpow\nno games\n"
            "no player `Karpow`; did you mean `Kárpow,_B`, `Karpov,A`, `Karpov,_Anatoly`?\n");
  // In this database, which lacks the name; and where another has it.
  EXPECT_EQ(text("a.si4/search/player=Kárpow,_B/summary.txt"),
            "player=Kárpow,_B\nno games\n"
            "no player `Kárpow,_B`; did you mean `Karpov,_Anatoly`?\n");
  EXPECT_THAT(text("together/search/player=Kárpow,_B/summary.txt"),
              StartsWith("All databases: player=Kárpow,_B\n1 game\n"));
}

TEST_F(NameAdviceTest, DatabasesAreNear) {
  const auto advice = [this](const std::string& base) {
    const std::string summary = text("together/search/base=" + base + "/summary.txt");
    return summary.substr(summary.find('\n') + 1);
  };
  EXPECT_EQ(advice("b.si"), "no games\nno database `b.si`; did you mean `b.si4`, `a.si4`?\n");
  EXPECT_EQ(advice("x%2Fb.si4"),
            "no games\nno database `x%2Fb.si4`; did you mean `b.si4`, `a.si4`?\n");
  EXPECT_THAT(advice("b.si4"), StartsWith("21 games\n"));
}

TEST_F(NameAdviceTest, PeopleAndOpeningsAreNear) {
  auto reference = std::make_shared<Reference>();
  reference->spelling = LibraryTest::reference(tests::test_data("spelling/people.ssp"))->spelling;
  reference->openings = std::make_shared<const OpeningNames>(
      "B00 \"King's Pawn\" 1.e4 *\n"
      "B20 \"Sicilian\" 1.e4 c5 *\n"
      "B90 \"Sicilian: Najdorf\" 1.e4 c5 2.Nf3 *\n");
  reference->fingerprint = 1;
  options_.database.reference = reference;
  tests::ScidWriter writer;
  writer.add(record("e4 e5"), "Kasparov, Gary", "Niemzowitsch, A");
  put("c", writer.files());
  open(source_);
  const struct {
    std::string search;
    std::string advice;
  } cases[] = {
      {"person=Gary_Kasparow", "no person `Gary_Kasparow`; did you mean `Kasparov,_Garry`?\n"},
      {"white_person=Nimzovitsch", "no person `Nimzovitsch`; did you mean `Nimzowitsch,_Aron`?\n"},
      {"person=Polgar", "no person `Polgar`\n"},
      {"person=Niemzowitsch*/year=1700", ""},
      {"country=SWI", "no person with `country=SWI`\n"},
      {"white_country=gbr,swi/title=CM",
       "no person with `white_country=gbr,swi`\nno person with `title=CM`\n"},
      {"white_country=swi,LAT", ""},
      {"not-country=RUS", ""},
      {"opening=najdrof", "no opening `najdrof`; did you mean `Najdorf`, `Sicilian:_Najdorf`?\n"},
      {"opening=Pawn", "no opening `Pawn`; did you mean 'King'\\''s_Pawn'?\n"},
      {"opening=Najdorf", ""},
      {"opening=_unknown/year=1700", ""},
  };
  for (const auto& test : cases) {
    const std::string summary = text("c.si4/search/" + test.search + "/summary.txt");
    EXPECT_EQ(summary, test.search + "\nno games\n" + test.advice);
  }
}

}  // namespace
}  // namespace scidfs::fs
