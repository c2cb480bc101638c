// people/: one directory for each person, with all spellings.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/views/people_fixture.h"
#include "tests/support/text.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Game = GameOfPeople;

// By number, from 1.
const std::vector<Game> kGames = {
    {"Kasparov, Garry", "Anand,V", {.year = 1995}},
    {"Anand,V", "Kasparov,G", {.year = 1995}},
    {"Garry Kasparov", "Polgar,J", {.year = 2002}},
    {"Kasparov, Garri", "Anand, Viswanathan", {.year = 2000}},
    {"Kasparov", "Anand,V", {.year = 1996}},                   // a surname alone
    {"Kasparov,", "Nobody, At all", {.year = 1996}},           // Garry or Sergey
    {"Kasparov,G", "Nimzowitsch, A", {.year = 1930}},          // not yet born
    {"Nimzowitsch, A", "Nobody, At all", {.year = 1936}},      // dead
    {"Nimzowitsch, A", "Nobody, At all", {.year = 1935}},      // died in March, this is any month
    {"Strauss, Johann", "Nobody, At all", {.year = 1840}},     // the father
    {"Strauss, Johann", "Nobody, At all", {.year = 1880}},     // the son
    {"Strauss, Johann", "Nobody, At all"},                     // either
    {"Smith, John", "Nobody, At all", {.year = 2010}},         // either of two
    {"Kupreichik-Novgorodo", "M\xFCller, H", {.year = 1970}},  // truncated to 20 letters; Latin-1
    {"M\xC3\xBCller,Hans", "Petrosian,Arshak", {.year = 1970}},
    {"Kasparov,G", "Anand,V", {.year = 2001}, true},
};

TEST_F(PeopleTest, DoNotExistWithoutSpellingFile) {
  show(kGames);
  EXPECT_THAT(names(""), Not(Contains("people")));
  EXPECT_THAT(names(""), Not(Contains("people.tsv")));
  EXPECT_FALSE(exists("people") || exists("people.tsv") ||
               exists("players/ka/Kasparov,G/people.tsv"));
  EXPECT_THAT(text(".ignore"), Not(HasSubstr("people")));
  EXPECT_THAT(text("search/README.txt"), Not(HasSubstr("person")));
  EXPECT_THAT(games("search/person=Kasparov*"), IsEmpty());
  for (const std::string asked : {"not-person=Kasparov*", "title=GM", "not-title=GM", "born=..",
                                  "not-white_country=XXX", "fide=.."}) {
    EXPECT_THAT(games("search/" + asked), IsEmpty()) << asked;
  }
}

TEST_F(PeopleTest, SpellingsOfPersonShareOneDirectory) {
  use_people();
  show(kGames);
  EXPECT_THAT(names("people"),
              ElementsAre("_unresolved.tsv", "an", "ka", "ku", "m_", "ni", "pe", "po", "st"));
  EXPECT_THAT(names("people/ka"), ElementsAre("Kasparov,_Garry"));
  const std::string garry = "people/ka/Kasparov,_Garry";
  EXPECT_THAT(games(garry), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(games(garry + "/white"), ElementsAre(1, 3, 4));
  EXPECT_THAT(games(garry + "/black"), ElementsAre(2));
  EXPECT_EQ(text(garry + "/all.pgn"), text("games/00000/1.pgn") + text("games/00000/2.pgn") +
                                          text("games/00000/3.pgn") + text("games/00000/4.pgn"));
  EXPECT_EQ(text(garry + "/black.pgn"), text("games/00000/2.pgn"));
  EXPECT_THAT(games(garry + "/search/opponent=Anand*"), ElementsAre(1, 2, 4));
  EXPECT_THAT(games("people/m_/Müller,_Hans"), ElementsAre(14, 15));
  EXPECT_THAT(games("people/ku/Kupreichik-Novgorodov,_Alexander"), ElementsAre(14));
  // One was born after the other had died: the later one in the file has a number.
  std::vector<std::string> strauss = names("people/st");
  ASSERT_EQ(strauss.size(), 2);
  EXPECT_THAT(games("people/st/" + strauss[0]), ElementsAre(10));
  EXPECT_THAT(games("people/st/" + strauss[1]), ElementsAre(11));
  EXPECT_THAT(games("people/ni/Nimzowitsch,_Aron"), ElementsAre(7, 9));
  // players/ does not change.
  EXPECT_THAT(games("players/ka/Kasparov,G"), ElementsAre(2, 7));
  EXPECT_THAT(
      columns("people/_unresolved.tsv", {0, 1, 2, 3}),
      ElementsAre("Kasparov|1|surname|Kasparov, Garry; Kasparov, Sergey",
                  "Kasparov,|1|ambiguous|Kasparov, Garry; Kasparov, Sergey",
                  "Kasparov,G|1|age|Kasparov, Garry", "Nimzowitsch, A|1|lifetime|Nimzowitsch, Aron",
                  "Smith, John|1|no rating|Smith, John; Smith, John",
                  "Strauss, Johann|1|no rating|Strauss, Johann; Strauss, Johann"));
}

TEST_F(PeopleTest, TablesCountByPerson) {
  use_people();
  show(kGames);
  EXPECT_THAT(names(""), Contains("people.tsv"));
  EXPECT_THAT(text(".ignore"), HasSubstr("/people\n"));
  constexpr std::size_t kTitle = 15;
  const std::vector<std::string> people = columns(
      "people.tsv", {0, 1, 12, kTitle, kTitle + 1, kTitle + 2, kTitle + 3, kTitle + 4, kTitle + 5});
  EXPECT_THAT(people,
              Contains("Kasparov, Garry|4|people/ka/Kasparov,_Garry|GM|RUS|1963.04.13||"
                       "4100018|Kasparov, Garry; Kasparov,G; Garry Kasparov; Kasparov, Garri"));
  EXPECT_THAT(people, Contains("Nimzowitsch, Aron|2|people/ni/Nimzowitsch,_Aron||LAT/DEN|1886|"
                               "1935.03.16||Nimzowitsch, A"));
  const std::string garry = "people/ka/Kasparov,_Garry";
  const auto opponents = ElementsAre("Anand, Viswanathan|3|people/an/Anand,_Viswanathan",
                                     "Polgar, Judit|1|people/po/Polgar,_Judit");
  EXPECT_THAT(columns(garry + "/opponents.tsv", {0, 1, 12}), opponents);
  EXPECT_THAT(columns("search/person=Garry_Kasparov/opponents.tsv", {0, 1, 12}), opponents);
  EXPECT_THAT(columns("people/ni/Nimzowitsch,_Aron/opponents.tsv", {0, 1, 12}),
              ElementsAre("Kasparov,G|1|players/ka/Kasparov,G",
                          "Nobody, At all|1|players/no/Nobody,_At_all"));
}

TEST_F(PeopleTest, SummaryBeginsWithDetailsFromSpellingFile) {
  use_people();
  show(kGames);
  const std::string summary = text("people/ka/Kasparov,_Garry/summary.txt");
  EXPECT_TRUE(
      summary.starts_with("Kasparov, Garry\n"
                          "4 games from 1995 to 2002\n"
                          "GM, RUS, born 1963.04.13\n"
                          "FIDE id 4100018, highest rating 2851, inactive\n"
                          "Title GM:1980 IM:1979\n"
                          "World Champion 1985-93\n"
                          "\n"
                          "Spellings "))
      << summary;
  EXPECT_THAT(summary, HasSubstr("\n  Kasparov, Garri      1\n"));
  EXPECT_THAT(summary, Not(HasSubstr("VIAF")));
  EXPECT_THAT(summary, HasSubstr("\nRatings by the spelling file, 1979 to 2005\n  2851 "));
  EXPECT_THAT(summary, HasSubstr("\n  Anand, Viswanathan"));
  EXPECT_THAT(text("people/ka/Kasparov,_Garry/white/summary.txt"),
              Not(HasSubstr("World Champion")));
  EXPECT_THAT(
      text("people/ni/Nimzowitsch,_Aron/summary.txt"),
      HasSubstr("\nLAT/DEN, born 1886, died 1935.03.16\nhighest rating 2615 (estimated)\n"));
}

TEST_F(PeopleTest, SearchesFindPeople) {
  use_people();
  show(kGames);
  for (const char* const name : {"Kasparov,_Garry", "garry_kasparov", "Kasparov,_G*", "*garri"}) {
    EXPECT_THAT(games(fmt::format("search/person={}", name)), ElementsAre(1, 2, 3, 4)) << name;
    EXPECT_THAT(games(fmt::format("search/white_person={}", name)), ElementsAre(1, 3, 4)) << name;
    EXPECT_THAT(games(fmt::format("search/black_person={}", name)), ElementsAre(2)) << name;
  }
  EXPECT_THAT(games("search/person=Kasparov,_Garry/opponent=Anand*"), ElementsAre(1, 2, 4));
  EXPECT_THAT(games("search/opponent=Anand*/person=Kasparov,_Garry"), ElementsAre(1, 2, 4));
  EXPECT_THAT(games("search/person=Anand*/search/person=Kasparov,_G/search/opponent=Anand,V"),
              IsEmpty());
  EXPECT_THAT(games("search/person=Anand*/search/person=Kasparov,G/search/opponent=Anand,V"),
              ElementsAre(1, 2));
  EXPECT_THAT(games("search/person=Strauss*"), ElementsAre(10, 11));
  const std::vector<std::string> namesakes = names("people/st");
  ASSERT_EQ(namesakes.size(), 2U);
  EXPECT_THAT(games("search/person=" + namesakes[0]), ElementsAre(10, 11))
      << "what both are called";
  EXPECT_THAT(games("search/person=" + namesakes[1]), ElementsAre(11)) << namesakes[1];
  EXPECT_FALSE(exists("search/person=Strauss,_Johann~0"));
  EXPECT_THAT(games("search/person=M%C3%BCller*"), ElementsAre(14, 15));
  EXPECT_THAT(games("search/person=muller*"), ElementsAre(14, 15));
  EXPECT_TRUE(exists("search/person=M%FCller*/index.tsv"));
  EXPECT_THAT(games("search/person=Nobody*"), IsEmpty());
  EXPECT_THAT(text("search/README.txt"), HasSubstr("white_person"));
}

TEST_F(PeopleTest, SearchesFindGamesOfOthers) {
  use_people();
  show(kGames);
  // A name that may be a person's, but is not in this game, is another's.
  EXPECT_THAT(games("search/not-person=Kasparov,_Garry"),
              ElementsAre(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(games("search/not-white_person=Kasparov,_Garry/number=..5"), ElementsAre(2, 5));
  EXPECT_THAT(games("search/person=Kasparov,_Garry/not-opponent=Anand,V"), ElementsAre(3, 4));
  show({{"Kasparov, Garry", "Anand,V", {.year = 1995}},
        {"?", "Anand,V", {.year = 1995}},
        {"Polgar,J", "Nobody, At all", {.year = 1995}}});
  EXPECT_THAT(games("search/not-person=Kasparov*"), ElementsAre(3));
  EXPECT_THAT(games("search/not-white_person=Kasparov*"), ElementsAre(3));
  EXPECT_THAT(games("search/not-black_person=Kasparov*"), ElementsAre(1, 2, 3));
}

// A side is known by its person in the game, not by its name.
TEST_F(PeopleTest, FactsFindGames) {
  use_people();
  show(kGames);
  const std::vector<std::pair<std::string, std::vector<int>>> cases = {
      {"title=GM", {1, 2, 3, 4, 5, 15}},
      {"white_title=gm", {1, 2, 3, 4}},
      {"black_title=GM", {1, 2, 3, 4, 5, 15}},
      {"title=IM,WIM", {14, 15}},
      {"not-title=GM", {14}},
      {"not-white_title=IM", {1, 2, 3, 4, 9, 10, 11}},
      {"not-black_title=GM,IM", {7}},
      {"country=lat", {7, 9}},
      {"country=DEN,HUN", {3, 7, 9}},
      {"not-country=RUS,AUT", {}},
      {"not-white_country=RUS", {2, 9, 10, 11, 14, 15}},
      {"born=1963", {1, 2, 3, 4}},
      {"born=1960..", {1, 2, 3, 4, 5}},
      {"black_born=..1900", {7, 14}},
      {"not-born=1963..1976", {14, 15}},
      {"fide=4100018", {1, 2, 3, 4}},
      {"fide=1,..4100018", {1, 2, 3, 4}},
      {"black_fide=4100018", {2}},
      {"not-fide=1", {}},
      {"not-white_fide=1", {1, 3, 4}},
      {"title=GM/not-country=RUS", {15}},
      {"country=RUS/opponent=Anand*", {1, 2, 4}},
      {"first=2/title=GM", {1, 2}},
  };
  for (const auto& [asked, expected] : cases) {
    EXPECT_EQ(games("search/" + asked), expected) << asked;
  }
  EXPECT_EQ(games("players/Anand,V/search/title=GM"), (std::vector<int>{1, 2, 5}));
  EXPECT_EQ(games("deleted/search/white_born=1963"), (std::vector<int>{16}));
}

// A name that is exactly that of one person may mean another.
// Each spelling in another database; some persons have no game, since they died before.
TEST_F(PeopleTest, HaveSpellingsOfAllDatabasesTogether) {
  use_people();
  std::vector<Game> all = kGames;
  all.push_back({"Nimzowitsch, A", "Petrosian,Arshak", {.year = 1999}});
  // Too young in two databases, but in most games of all dead.
  for (const codec::Date date : {codec::Date{.year = 1888}, {.year = 1888}, {.year = 1940}}) {
    all.push_back({"Nimzowitsch, A", "Nobody, At all", date});
  }
  std::filesystem::create_directories(source_ / "one");
  std::filesystem::create_directories(source_ / "parts");
  put("one/x", people_files(all));
  for (std::size_t part = 0; part < 3; ++part) {
    std::vector<Game> games;
    for (std::size_t i = part; i < all.size(); i += 3) games.push_back(all[i]);
    put(fmt::format("parts/{}", part), people_files(games));
  }
  open(source_);
  const auto lines = [&](const std::string& path) {
    std::vector<std::string> sorted;
    for (std::vector<std::string> row : tests::rows_of(text(path))) {
      std::vector<std::string> spellings = tests::split(row.back(), ';');
      for (std::string& each : spellings) each = each.substr(each.find_first_not_of(' '));
      std::ranges::sort(spellings);
      row.back() = fmt::format("{}", fmt::join(spellings, ";"));
      sorted.push_back(fmt::format("{}", fmt::join(row, "\t")));
    }
    std::ranges::sort(sorted);
    return sorted;
  };
  EXPECT_EQ(lines("parts/together/people.tsv"), lines("one/x.si4/people.tsv"));
  for (const std::string file : {"people/_unresolved.tsv", "people/_unresolved.csv"}) {
    EXPECT_EQ(text("parts/together/" + file), text("one/x.si4/" + file));
    EXPECT_GT(tests::rows_of(text("parts/together/" + file)).size(), 3U);
  }
  EXPECT_THAT(names("parts/together/people"),
              testing::UnorderedElementsAreArray(names("one/x.si4/people")));
  const auto sorted = [&](const std::string& path) {
    std::vector<std::string> of_text = tests::split(text(path), '\n');
    std::ranges::sort(of_text);
    return of_text;
  };
  for (const std::string person : {"ka/Kasparov,_Garry", "an/Anand,_Viswanathan"}) {
    EXPECT_EQ(sorted("parts/together/people/" + person + "/opponents.tsv"),
              sorted("one/x.si4/people/" + person + "/opponents.tsv"));
    const std::string summary = text("parts/together/people/" + person + "/summary.txt");
    const std::string whole = text("one/x.si4/people/" + person + "/summary.txt");
    const std::size_t begin = whole.find("Spellings");
    ASSERT_NE(begin, std::string::npos);
    const std::string spellings = whole.substr(begin, whole.find("\n\n", begin) - begin);
    EXPECT_EQ(summary.substr(summary.find("Spellings"), spellings.size()).size(), spellings.size());
    for (const std::string& line : tests::split(spellings, '\n')) {
      EXPECT_THAT(summary, HasSubstr(line));
    }
  }
  for (const std::string asked :
       {"person=Kasparov,G", "person=Garry_Kasparov", "black_person=Anand,V",
        "not-person=Kasparov,G", "white_person=Kasparov,_Garri",
        "person=Anand,V/opponent=Kasparov,_Garry"}) {
    const std::string search = "/search/" + asked + "/index.tsv";
    EXPECT_EQ(tests::rows_of(text("parts/together" + search)).size(),
              tests::rows_of(text("one/x.si4" + search)).size())
        << asked;
  }
}

TEST_F(PeopleTest, AgeAndEloAreEvidence) {
  const Path path = folder_ / "x.ssp";
  put(path,
      "@PLAYER \"., -_*\"\n"
      "Anand V #- IND [1157] 2005\n"
      "   %Elo 2012:1150,1150\n"
      "Anand, Vignesh #- USA [1930] 2004\n"
      "Anand, Viswanathan #GM IND [2753] 1969.12.11\n"
      "   %Elo 1995:2715,2725 2012:2799,2780\n"
      "Brown A #- ENG [1400] 1930--1980\n"
      "Brown, Alan #- ENG [1500] 1950\n"
      "   %Elo 1990:1700,2150 1991:?,2000\n"
      "Brown, Albert #GM ENG [2600] 1970\n"
      "   %Elo 1978:2500 1980:2600\n"
      "Unrated, U #-\n"
      "Unrated, Uwe #GM GER [2500] 1960\n");
  options_.database.reference = reference(path);
  constexpr codec::RatingType kUscf = codec::RatingType::Uscf;
  struct Case {
    Game game;
    std::string_view by_evidence, by_lifetime;
  };
  const auto game = [](std::string_view white, std::uint16_t year, std::uint16_t rating,
                       codec::RatingType type = codec::RatingType::Elo) {
    return Game{.white = white,
                .black = "Nobody, At all",
                .date = {.year = year},
                .white_rating = {.value = rating, .type = type}};
  };
  const std::vector<Case> cases = {
      {game("Anand,V", 2012, 1150), "Anand V", "Anand V"},
      {game("Anand,V", 2012, 1300), "Anand V", "Anand V"},
      {game("Anand,V", 2012, 1301), "Anand,V", "Anand V"},  // perhaps the one without ratings
      {game("Anand,V", 2012, 2750), "Anand, Viswanathan", "Anand V"},
      {game("Anand,V", 2012, 2750, kUscf), "Anand,V", "Anand V"},
      {game("Anand,V", 2012, 0), "Anand,V", "Anand V"},  // both played then
      {game("Anand,V", 0, 2750), "Anand,V", "Anand V"},
      {game("Anand,V", 1995, 0), "Anand, Viswanathan", "Anand,V"},  // the others were not born
      {game("Anand,V", 2009, 0), "Anand, Viswanathan", "Anand V"},  // or under six
      {game("Anand,V", 1974, 0), "Anand,V", "Anand,V"},
      {game("Anand, Vik", 2012, 2750), "Anand, Vik", "Anand, Vik"},  // unknown to the file
      {game("Brown, Alan", 1990, 2549), "Brown, Alan", "Brown, Alan"},
      {game("Brown, Alan", 1990, 2550), "Brown, Alan", "Brown, Alan"},
      {game("Brown,A", 1979, 2560), "Brown, Albert", "Brown A"},
      {game("Brown,A", 1972, 2560), "Brown,A", "Brown A"},        // a child
      {game("Brown,A", 1982, 2560), "Brown, Albert", "Brown,A"},  // after a death
      {game("Brown,A", 1990, 2560), "Brown,A", "Brown,A"},
      {game("Unrated, U", 1990, 2600), "Unrated, U", "Unrated, U"},
  };
  std::vector<Game> games;
  for (const Case& one : cases) games.push_back(one.game);
  for (const Evidence evidence : {Evidence::AgeAndElo, Evidence::Lifetime}) {
    options_.database.evidence = evidence;
    show(games);
    for (GameIndex i = 0; i < cases.size(); ++i) {
      const bool is_all = evidence == Evidence::AgeAndElo;
      EXPECT_EQ(white_person(i), is_all ? cases[i].by_evidence : cases[i].by_lifetime)
          << cases[i].game.white << ' ' << cases[i].game.date.year << ' '
          << cases[i].game.white_rating.value << ' ' << is_all;
    }
    tree_.reset();
    EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  }
  options_.database.evidence = Evidence::AgeAndElo;
  show(games);
  EXPECT_THAT(columns("people/_unresolved.tsv", {0, 1, 2, 3}),
              ElementsAre("Anand,V|5|no rating|Anand V", "Brown,A|2|ambiguous: 0 fit|Brown A",
                          "Brown, Alan|1|rating|Brown, Alan",
                          "Unrated, U|1|ambiguous: 0 fit, 2 unknown|Unrated, U"));
  EXPECT_THAT(columns("people.tsv", {0, 1, 20}), Contains("Anand, Viswanathan|3|Anand,V"));
}

TEST_F(PeopleTest, GamesOfNamesWithSeveralCandidatesAreDecidedOneByOne) {
  options_.database.reference = reference(tests::test_data("spelling/candidates.ssp"));
  struct Case {
    Game game;
    std::string_view person;  // empty: none
  };
  const auto game = [](std::string_view white, codec::Date date, std::uint16_t elo,
                       std::string_view event = "x") {
    return Game{.white = white,
                .black = "Nobody, At all",
                .date = date,
                .white_rating = {.value = elo},
                .event = event};
  };
  const std::vector<Case> cases = {
      {game("Giro,A", {2013, 7, 1}, 2734), "Giro, Anselm"},
      {game("A Giro", {2013, 7, 1}, 2734), "Giro, Anselm"},
      {game("Giro,A", {2021, 2, 1}, 1390), "Giro, Andrea"},
      {game("Giro,A", {2021, 2, 1}, 2200), ""},
      {game("Giro,A", {2010, 7, 1}, 0), "Giro, Anselm"},
      {game("Giro,A", {2021, 2, 1}, 0), ""},
      {game("Smelik, Jan", {1971, 5, 1}, 2515), "Smelik, Jan1"},
      {game("Smelik, Jan", {1971, 5, 1}, 0), "Smelik, Jan1"},
      {game("Jan Smelik", {1972, 0, 0}, 2560), "Smelik, Jan1"},
      {game("Smelik,J", {2010, 2, 1}, 1945), "Smelik, Jan2"},
      {game("Smelik,J", {2010, 2, 1}, 0), ""},
      {game("Sokol, Ilja", {1999, 5, 1}, 2580), ""},
      {game("Sokol, Ilja", {1999, 5, 1}, 2740), "Sokol, Ilja1"},
      {game("Filik, Mirek", {1962, 0, 0}, 0), "Filik, Mirek1"},
      {game("Filik, Mirek", {2019, 0, 0}, 1500), "Filik, Mirek"},
      {game("Filik, Mirek", {0, 0, 0}, 0), ""},
      // Each by itself would be decided.
      {game("Novo, Petr", {1995, 3, 1}, 0, "Memorial"), ""},
      {game("Novo, Petr", {1995, 12, 1}, 0, "Memorial"), ""},
      {game("Novo, Petr", {1995, 3, 1}, 0, "Open"), "Novo, Petr1"},
      {game("Novo, Petr", {1995, 12, 1}, 0, "Cup"), "Novo, Petr2"},
      {game("Lask,E", {1914, 0, 0}, 0), "Lask, Emil"},
      {game("Only,B", {1980, 6, 1}, 2400), "Only, Bruno"},
      {game("Only,B", {1980, 6, 1}, 2399), ""},
  };
  std::vector<Game> games;
  for (const Case& one : cases) games.push_back(one.game);
  show(games);
  for (GameIndex i = 0; i < cases.size(); ++i) {
    const Game& of = cases[i].game;
    EXPECT_EQ(white_person(i), cases[i].person.empty() ? of.white : cases[i].person)
        << of.white << ' ' << of.date.year << ' ' << of.white_rating.value << ' ' << of.event;
  }
  EXPECT_THAT(columns("people/_unresolved.tsv", {0, 1, 2, 3}),
              ElementsAre("Giro,A|2|ambiguous: 0 fit|Giro, Andrea; Giro, Anselm; Giro Abel",
                          "Novo, Petr|2|event|Novo, Petr1; Novo, Petr2",
                          "Filik, Mirek|1|no rating|Filik, Mirek",
                          "Only,B|1|ambiguous: 1 fit, 1 unknown|Only, Bruno",
                          "Smelik,J|1|no rating|Smelik, Jan1; Smelik, Jan2",
                          "Sokol, Ilja|1|ambiguous: 2 fit|Sokol, Ilja1; Sokol, Ilja2"));
  EXPECT_THAT(columns("people.tsv", {0, 1, 20}), Contains("Giro, Anselm|3|Giro,A; A Giro"));
  tree_.reset();
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
}

TEST_F(PeopleTest, InvariantsOfTreeHold) {
  use_people();
  show(kGames);
  tree_.reset();
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  options_.database.show_deleted = true;
  open(source_ / "x.si4");
  EXPECT_THAT(games("people/ka/Kasparov,_Garry"), ElementsAre(1, 2, 3, 4, 16));
}

TEST_F(PeopleTest, InodeNumbersSurviveGrowthOfDatabase) {
  use_people();
  show(kGames);
  const Inode garry = inode("people/ka/Kasparov,_Garry");
  const Inode strauss = inode("people/st/" + names("people/st")[1]);
  std::vector<Game> more = kGames;
  more.insert(more.begin(), {"Carlsen, Magnus", "Kasparov,G", {.year = 2004}});
  show(more);
  EXPECT_EQ(inode("people/ka/Kasparov,_Garry"), garry);
  EXPECT_EQ(inode("people/st/" + names("people/st")[1]), strauss);
  EXPECT_THAT(games("people/ka/Kasparov,_Garry"), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(PeopleTest, OverwrittenSpellingFileIsStaleWhereItIsNeeded) {
  const Path path = folder_ / "x.ssp";
  put(path, tests::read_file(tests::test_data("spelling/people.ssp")));
  options_.database.reference = reference(path);
  show(kGames);
  put(path, "# nothing\n");
  EXPECT_TRUE(absl::IsFailedPrecondition(find("people/ka/Kasparov,_Garry/summary.txt").status()));
  EXPECT_THAT(games("people/ka/Kasparov,_Garry"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(columns("people.tsv", {0}), Contains("Kasparov, Garry"));
}

}  // namespace
}  // namespace scidfs::fs
