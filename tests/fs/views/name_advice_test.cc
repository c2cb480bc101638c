// summary.txt of searches for names that no game has.
#include "fs/views/name_advice.h"

#include <gmock/gmock.h>

#include <string>

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

}  // namespace
}  // namespace scidfs::fs
