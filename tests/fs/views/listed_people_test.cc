// people/ with FIDE's list of players.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/reference/data_files.h"
#include "tests/fs/views/people_fixture.h"
#include "tests/support/files.h"
#include "tests/support/player_list.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ListedPeopleTest : public PeopleTest {
 protected:
  // Uses a list of July 2024, and a spelling file, if there is a path.
  void use_list(const Path& spelling) {
    tests::write_file(list_,
                      tests::player_list({
                          {.id = 1,
                           .name = "Neumann, Nora",
                           .rating = 2100,
                           .born = 2000,
                           .title = "WIM",
                           .sex = "F",
                           .flag = "w"},
                          {.id = 2, .name = "Zwilling, Zoe", .rating = 2400, .born = 1990},
                          {.id = 3, .name = "Zwilling, Zoe", .rating = 1500, .born = 1995},
                          {.id = 4, .name = "Ohne, Jahr"},
                          {.id = 5, .name = "Smith, John", .rating = 2005, .born = 1970},
                          {.id = 6, .name = "Kurz, J.A.", .rating = 2005, .born = 1970},
                          {.id = 4100018, .name = "Kasparow, Garri", .rating = 2812, .born = 1963},
                      }));
    const timespec july{.tv_sec = 1'720'000'000, .tv_nsec = 0};
    const timespec times[] = {july, july};
    ASSERT_EQ(::utimensat(AT_FDCWD, list_.c_str(), times, 0), 0);
    absl::StatusOr<DataFiles> files =
        DataFiles::open({.spelling = {.path = spelling}, .fide = {.path = list_}});
    ASSERT_TRUE(files.ok()) << files.status();
    options_.database.reference = files->load({});
  }

  const Path list_ = folder_ / "players_list_foa.txt";
};

TEST_F(ListedPeopleTest, FullNamesOfOneEntryMeanItsPerson) {
  use_list(tests::test_data("spelling/people.ssp"));
  struct Case {
    std::string_view white;
    std::uint16_t year = 0;
    std::uint16_t elo = 0;
    std::uint32_t id = 0;  // 0: none
  };
  const std::vector<Case> cases = {
      {"Neumann, Nora", 2020, 0, 1},
      {"Neumann,Nora", 2020, 0, 1},
      {"Neumann, Nora (NOR)", 2020, 0, 1},
      {"neumann, nora", 2020, 0, 0},
      {"Neumann, N", 2020, 0, 0},
      {"Neumann", 2020, 0, 0},
      {"Nora Neumann", 2020, 0, 0},
      {"Kurz, J.A.", 2020, 2005, 0},
      // A child of five.
      {"Neumann, Nora", 2005, 0, 0},
      {"Neumann, Nora", 2006, 0, 1},
      {"Neumann, Nora", 0, 0, 1},
      // Far from her rating, within three years of it.
      {"Neumann, Nora", 2022, 2499, 1},
      {"Neumann, Nora", 2022, 2500, 0},
      {"Neumann, Nora", 2026, 1700, 0},
      {"Neumann, Nora", 2026, 1701, 1},
      {"Neumann, Nora", 2020, 1500, 1},
      // Two of a name.
      {"Zwilling, Zoe", 2023, 2390, 2},
      {"Zwilling, Zoe", 2023, 1510, 3},
      {"Zwilling, Zoe", 2023, 2000, 0},
      {"Zwilling, Zoe", 2023, 0, 0},
      {"Zwilling, Zoe", 2010, 2390, 0},
      {"Zwilling, Zoe", 1998, 0, 2},
      {"Ohne, Jahr", 1990, 2000, 4},
      {"Ohne, Jahr", 1939, 0, 0},
      // Another name of a person of the spelling file, and a name that this decides.
      {"Kasparow, Garri", 2000, 2850, 4100018},
      {"Kasparow, Garri", 1960, 0, 0},
      {"Smith, John", 2023, 2005, 0},
  };
  std::vector<GameOfPeople> games;
  for (const Case& one : cases) {
    games.push_back({.white = one.white,
                     .black = "Nobody, At all",
                     .date = {.year = one.year},
                     .white_rating = {.value = one.elo}});
  }
  show(games);
  const DatabasePtr database = tests::shown_databases(*library_).front()->database;
  const People& people = *database->people();
  for (GameIndex i = 0; i < cases.size(); ++i) {
    const PlayerOfGame in = player_of(database->entry(i), i, codec::Color::White);
    const std::uint32_t person = people.person_of(in);
    EXPECT_EQ(person == People::kNobody ? 0 : people.spelling().person(person).fide_id, cases[i].id)
        << cases[i].white << ' ' << cases[i].year << ' ' << cases[i].elo;
    if (person == People::kNobody) people.reason(in);
  }
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
}

const std::vector<GameOfPeople> kGamesOfNora = {
    {"Neumann, Nora", "Kasparov, Garry", {.year = 2020}},
    {"Neumann,Nora", "Kasparow, Garri", {.year = 2021}},
    {"Kasparov, Garry", "Neumann, Nora", {.year = 2001}}};

TEST_F(ListedPeopleTest, HaveDirectoriesAndLines) {
  use_list(tests::test_data("spelling/people.ssp"));
  show(kGamesOfNora);
  EXPECT_THAT(names("people"), ElementsAre("_unresolved.tsv", "ka", "ne"));
  EXPECT_THAT(games("people/ne/Neumann,_Nora"), ElementsAre(1, 2));
  EXPECT_THAT(games("people/ka/Kasparov,_Garry"), ElementsAre(1, 2, 3));
  EXPECT_THAT(games("search/person=neumann*"), ElementsAre(1, 2));
  constexpr std::size_t kTitle = 15;
  EXPECT_THAT(
      columns("people.tsv", {0, 1, 12, kTitle, kTitle + 1, kTitle + 2, kTitle + 4, kTitle + 5}),
      testing::UnorderedElementsAre(
          "Neumann, Nora|2|people/ne/Neumann,_Nora|WIM|NOR|2000|1|"
          "Neumann, Nora; Neumann,Nora",
          "Kasparov, Garry|3|people/ka/Kasparov,_Garry|GM|RUS|1963.04.13|4100018|"
          "Kasparov, Garry; Kasparow, Garri"));
  EXPECT_THAT(text("people/ne/Neumann,_Nora/summary.txt"),
              HasSubstr("\nWIM, NOR, born 2000\nFIDE id 1, rating 2100 in 2024.07\n"));
}

TEST_F(ListedPeopleTest, AmbiguousNamesAreUnresolved) {
  use_list(tests::test_data("spelling/people.ssp"));
  show({{"Zwilling, Zoe", "Nobody, At all", {.year = 2023}},
        {"Neumann, Nora", "Nobody, At all", {.year = 2003}},
        {"Neumann, Nora", "Neumann, N", {.year = 2020}}});
  EXPECT_THAT(columns("people/_unresolved.tsv", {0, 1, 2, 3}),
              ElementsAre("Neumann, Nora|1|age|Neumann, Nora",
                          "Zwilling, Zoe|1|no rating|Zwilling, Zoe; Zwilling, Zoe"));
}

TEST_F(ListedPeopleTest, ExistWithoutSpellingFile) {
  use_list({});
  show(kGamesOfNora);
  EXPECT_THAT(names("people"), ElementsAre("_unresolved.tsv", "ka", "ne"));
  EXPECT_THAT(games("people/ka/Kasparow,_Garri"), ElementsAre(2));
  EXPECT_THAT(names(""), Contains("people.tsv"));
}

}  // namespace
}  // namespace scidfs::fs
