// tournaments/: one directory for each tournament, with all spellings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/views/together_fixture.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using codec::scid::NameKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using tests::rows_of;

struct EventGame {
  std::string_view event, site;
  std::uint16_t year = 0;
  std::string_view round, white, black;
  Result result = Result::Unknown;
};

// By number, from 1.
const std::vector<EventGame> kEventGames = {
    {"Corus", "Wijk aan Zee NED", 2000, "1", "Kasparov, Garry", "Anand,V", Result::WhiteWins},
    {"Corus", "Wijk", 2000, "10", "Garry Kasparov", "Polgar,J", Result::Draw},
    {"Hoogovens", "Wijk aan Zee Holland", 2000, "(2)", "Anand, Viswanathan", "Kasparov, Gary",
     Result::Draw},
    {"Corus", "Wijk aan Zee (Netherlands)", 2000, "01", "Nobody, At all", "Polgar,J",
     Result::BlackWins},
    {"Corus", "Wijk aan Zee NED", 2001, "1", "Kasparov, Garry", "Anand,V", Result::Draw},
    {"Corus", "Linares", 2000, "1", "Kasparov, Garry", "Anand,V", Result::Draw},
    {"II World Ch", "Wien AUT", 0, "?", "Kasparov, Garry", "Anand,V", Result::Draw},
    {"2. World Ch", "Wien", 0, "?", "Anand,V", "Kasparov, Garry", Result::Draw},
    {"Corus", "Wijk", 2000, "3", "Kasparov,G", "Nobody, At all", Result::WhiteWins},
    {"?", "?", 1999, "?", "Anand,V", "Kasparov, Garry", Result::Draw},
};

tests::ScidFiles event_files(const std::vector<EventGame>& games) {
  tests::ScidFilesBuilder builder;
  std::array<std::vector<std::string_view>, codec::scid::kNameKinds> known;
  const auto id_of = [&](NameKind kind, std::string_view name) {
    std::vector<std::string_view>& names = known[static_cast<std::size_t>(kind)];
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    names.push_back(name);
    return builder.name(kind, name);
  };
  tests::Random random(1);
  for (const EventGame& game : games) {
    codec::scid::IndexEntry entry;
    entry.event = id_of(NameKind::Event, game.event);
    entry.site = id_of(NameKind::Site, game.site);
    entry.round = id_of(NameKind::Round, game.round);
    entry.white = id_of(NameKind::Player, game.white);
    entry.black = id_of(NameKind::Player, game.black);
    entry.date = {.year = game.year};
    entry.result = game.result;
    builder.game(entry, tests::random_game(random, {.plies = 4}).record());
  }
  return builder.files();
}

class TournamentsTest : public TogetherTest {
 protected:
  void show() {
    put("x", event_files(kEventGames));
    open(source_ / "x.si4");
  }
  void use_spelling() {
    options_.database.reference = reference(tests::test_data("spelling/people.ssp"));
  }
  // The texts of games with these numbers.
  std::string games(const std::vector<int>& numbers) const {
    std::string all;
    for (const int number : numbers) all += text("games/" + std::to_string(number) + ".pgn");
    return all;
  }
  static constexpr const char* kCorus = "tournaments/2000/Corus--Wijk_aan_Zee_NED/";
};

TEST_F(TournamentsTest, SpellingsOfTournamentShareOneDirectory) {
  use_spelling();
  show();
  EXPECT_THAT(names("tournaments"), ElementsAre("_unknown", "1999", "2000", "2001"));
  EXPECT_THAT(names("tournaments/2000"),
              ElementsAre("Corus--Linares_ESP", "Corus--Wijk_aan_Zee_NED"));
  EXPECT_EQ(text(std::string(kCorus) + "games.pgn"), games({1, 2, 3, 4, 9}));
  EXPECT_EQ(text("tournaments/2001/Corus--Wijk_aan_Zee_NED/games.pgn"), games({5}));
  EXPECT_THAT(names("tournaments/_unknown"), ElementsAre("2._World_Ch--Wien_AUT"));
  EXPECT_EQ(text("tournaments/_unknown/2._World_Ch--Wien_AUT/games.pgn"), games({7, 8}));
  EXPECT_EQ(text("tournaments/1999/_unknown--_unknown/games.pgn"), games({10}));
  // Events keep the spellings of the database.
  EXPECT_EQ(names("events/2000").size(), 5U);
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
}

TEST_F(TournamentsTest, CrosstablesCountByPerson) {
  use_spelling();
  show();
  EXPECT_THAT(text(std::string(kCorus) + "crosstable.txt"),
              StartsWith("Corus\n"
                         "Wijk aan Zee NED, 2000.??.??\n"
                         "4 players, 5 games\n\n"));
  EXPECT_EQ(
      text(std::string(kCorus) + "standings.tsv"),
      "rank\tname\telo\tgames\tpoints\twins\tdraws\tlosses\tsonneborn_berger\tbuchholz\tpath\n"
      "1\tKasparov, Garry\t\t4\t3.0\t2\t2\t0\t1.50\t\tpeople/ka/Kasparov,_Garry\n"
      "2\tPolgar, Judit\t\t2\t1.5\t1\t1\t0\t1.50\t\tpeople/po/Polgar,_Judit\n"
      "3\tAnand, Viswanathan\t\t2\t0.5\t0\t1\t1\t1.50\t\tpeople/an/Anand,_Viswanathan\n"
      "4\tNobody, At all\t\t2\t0.0\t0\t0\t2\t0.00\t\tplayers/no/Nobody,_At_all\n");
  EXPECT_THAT(text(std::string(kCorus) + "crosstable.tsv"),
              HasSubstr("\n1\tKasparov, Garry\t3\tAnand, Viswanathan\t2\t1.5\t1\t1\t0\tw1 b1/2\n"));
  EXPECT_THAT(text(std::string(kCorus) + "summary.txt"),
              HasSubstr("Corus, Wijk aan Zee NED, 2000"));
}

// Its games are dealt to several databases, in which names have other numbers.
TEST_F(TournamentsTest, OfSeveralDatabasesHaveOneCrosstable) {
  use_spelling();
  for (const std::size_t count : {2, 3, 5}) {
    deal(tests::ScidDatabase(event_files(kEventGames), ".si4"), count, count);
    const std::string whole(kWhole);
    const std::string together(kTogether);
    EXPECT_EQ(rows_of(text(whole + "tournaments/events.tsv")).size(), 5U);
    for (const std::string file : {"tournaments/events.tsv", "tournaments/events.csv",
                                   "events/events.tsv", "events/events.csv", "events.tsv"}) {
      EXPECT_EQ(text(together + file), text(whole + file)) << file;
    }
    for (const std::string file : {"crosstable.txt", "standings.tsv", "crosstable.tsv"}) {
      EXPECT_EQ(text(together + kCorus + file), text(whole + kCorus + file)) << file;
    }
  }
}

TEST_F(TournamentsTest, RoundsAreCorrected) {
  use_spelling();
  options_.database.by_round = true;
  show();
  EXPECT_EQ(text(std::string(kCorus) + "games.pgn"), games({1, 4, 3, 9, 2}));
}

// Also if the rounds, whose names have other numbers, are in several databases.
TEST_F(TournamentsTest, RoundsOfSeveralDatabasesAreInOrder) {
  use_spelling();
  options_.database.by_round = true;
  for (const std::size_t count : {2, 3, 5}) {
    deal(tests::ScidDatabase(event_files(kEventGames), ".si4"), count, count);
    for (const std::string& event :
         {std::string(kCorus), std::string("events/2000/Corus--Wijk/")}) {
      EXPECT_EQ(text(std::string(kTogether) + event + "games.pgn"),
                text(std::string(kWhole) + event + "games.pgn"));
    }
    // Other sets are in the order of the databases.
    EXPECT_EQ(text(std::string(kTogether) + "years/2000/games.pgn"),
              text(std::string(kWhole) + "years/2000/games.pgn"));
  }
}

TEST_F(TournamentsTest, DoNotExistWithoutSpellingFile) {
  show();
  EXPECT_FALSE(exists("tournaments"));
  EXPECT_THAT(names(""), Not(testing::Contains("tournaments")));
}

}  // namespace
}  // namespace scidfs::fs
