// people/ of games whose tags have FIDE ids.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fs/database/stored_index.h"
#include "fs/file/cache_file.h"
#include "fs/file/cache_folder.h"
#include "fs/reference/data_files.h"
#include "tests/fs/views/people_fixture.h"
#include "tests/support/files.h"
#include "tests/support/index_sections.h"
#include "tests/support/player_list.h"
#include "tests/support/scid_formats.h"
#include "tests/support/text.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

constexpr std::string_view kSpelling =
    "@PLAYER \"., -_*\"\n\n"
    "Alt, Anton #GM NOR [2600] 1950--1990.05.01\n"
    "   %Bio FIDEID 1001\n"
    "   = Alt, Toni\n"
    "Neu, Nina #WGM SWE [2300] 1980\n"
    "   %Bio FIDEID 1002\n"
    "Zwilling, Zoe #- NOR [2400] 1960\n"
    "   %Bio FIDEID 1003\n"
    "Zwilling, Zoe #- NOR [1500] 1965\n"
    "   %Bio FIDEID 1004\n"
    "Doppelt, Dora #- NOR [1500] 1965\n"
    "   %Bio FIDEID 1005\n"
    "Doppelt, Doris #- NOR [1500] 1966\n"
    "   %Bio FIDEID 1005\n";

class PeopleIdsTest : public PeopleTest {
 protected:
  PeopleIdsTest() {
    tests::write_file(spelling_, kSpelling);
    tests::write_file(list_, tests::player_list({
                                 {.id = 1002, .name = "Neumann, Nina", .born = 1980},
                                 {.id = 2001, .name = "Liste, Lena", .rating = 2200, .born = 2000},
                                 {.id = 2002, .name = "Alt, Anton", .born = 1990},
                             }));
    absl::StatusOr<DataFiles> files =
        DataFiles::open({.spelling = {.path = spelling_}, .fide = {.path = list_}});
    EXPECT_TRUE(files.ok()) << files.status();
    options_.database.reference = files->load({});
  }

  const Database& database() const { return *tests::shown_databases(*library_).front()->database; }
  // The id of the person of a side; 0: none.
  std::uint32_t id_of(GameIndex game, codec::Color color) const {
    const People& people = *database().people();
    const std::uint32_t person = people.person_of(player_of(database().index(), game, color));
    return person == People::kNobody ? 0 : people.spelling().person(person).fide_id;
  }
  std::vector<int> games_of(std::string_view id) const {
    return games(fmt::format("search/fide={}", id));
  }

  const Path spelling_ = folder_ / "people.ssp";
  const Path list_ = folder_ / "players_list_foa.txt";
};

// A slip of an id gives a game to a person, and that person no other one's games.
TEST_F(PeopleIdsTest, IdsMakeNoNameOfOnePersonThatOfAnother) {
  const auto game = [](std::string_view white, std::string_view id) {
    return GameOfPeople{.white = white,
                        .black = "Nobody, At all",
                        .date = {.year = 2010},
                        .white_rating = {},
                        .event = "y",
                        .white_id = id};
  };
  show({game("Neu, Nina", ""), game("Liste, Lena", ""), game("Neu, Nina", "2001"),
        game("Xxx, Yyy", "2001")});
  EXPECT_THAT(games("search/person=Neu,_Nina"), ElementsAre(1));
  EXPECT_THAT(games("search/not-white_person=Neu,_Nina"), ElementsAre(2, 3, 4));
  EXPECT_THAT(games("search/person=Liste,_Lena"), ElementsAre(2, 3, 4));
  // A name that no person has by itself asks for the person.
  EXPECT_THAT(games("search/person=Xxx,_Yyy"), ElementsAre(2, 3, 4));
}

TEST_F(PeopleIdsTest, IdsTellPersonsBeforeNames) {
  struct Case {
    std::string_view white;
    std::uint16_t year = 0;
    std::string_view id;
    std::uint32_t expected = 0;  // 0: none
    std::uint16_t elo = 0;
  };
  const std::vector<Case> cases = {
      {"Alt, Anton", 1980, "", 1001},
      // Under any name.
      {"Xxx, Yyy", 1980, "1001", 1001},
      {"?", 1980, "1001", 1001},
      {"Alt", 1980, "1001", 1001},
      {"Neu, Nina", 2010, "2001", 2001},
      {"Liste, Lena", 2010, "1002", 1002},
      {"Alt, Toni", 0, "1002", 1002},
      // Namesakes.
      {"Zwilling, Zoe", 2000, "", 0},
      {"Zwilling, Zoe", 2000, "1003", 1003},
      {"Zwilling, Zoe", 2000, "1004", 1004},
      {"Zwilling, Zoe", 2000, "1004", 1004, 2400},
      // Ratings, and the age at which others begin, are no matter.
      {"Liste, Lena", 2003, "", 0},
      {"Liste, Lena", 2003, "2001", 2001},
      {"Neu, Nina", 2010, "1002", 1002, 3000},
      // Not born yet, or dead: the name counts.
      {"Alt, Anton", 1999, "2001", 0},
      {"Neu, Nina", 1999, "2001", 1002},
      {"Neu, Nina", 1999, "1001", 1002},
      {"Xxx, Yyy", 1991, "1001", 0},
      {"Xxx, Yyy", 1990, "1001", 1001},
      {"Neu, Nina", 1950, "2001", 0},
      // Ids that no file has, or two persons of it, and what is no id.
      {"Neu, Nina", 2010, "4711", 1002},
      {"Xxx, Yyy", 2010, "4711", 0},
      {"Neu, Nina", 2010, "1005", 1002},
      {"Neu, Nina", 2010, "-1", 1002},
      {"Neu, Nina", 2010, "99999999999999", 1002},
      {"Neu, Nina", 2010, "2001 ", 1002},
  };
  std::vector<GameOfPeople> games;
  for (const Case& one : cases) {
    games.push_back({.white = one.white,
                     .black = "Nobody, At all",
                     .date = {.year = one.year},
                     .white_rating = {.value = one.elo},
                     .event = "y",
                     .white_id = one.id});
  }
  show(games);
  for (GameIndex i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(id_of(i, codec::Color::White), cases[i].expected)
        << cases[i].white << ' ' << cases[i].year << ' ' << cases[i].id;
    EXPECT_EQ(id_of(i, codec::Color::Black), 0U);
  }
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  EXPECT_THAT(games_of("1004"), ElementsAre(10, 11));
  EXPECT_THAT(columns("people/_unresolved.tsv", {0, 1, 2}),
              ElementsAre("Alt, Anton|1|lifetime", "Liste, Lena|1|age", "Neu, Nina|1|age",
                          "Zwilling, Zoe|1|no rating"));

  options_.database.evidence = Evidence::Lifetime;
  show(games);
  EXPECT_EQ(id_of(1, codec::Color::White), 0U);
  EXPECT_EQ(id_of(4, codec::Color::White), 1002U);
}

// A spelling whose other games of the event are by an id another person's.
TEST_F(PeopleIdsTest, IdsSpeakForGamesOfSameEvent) {
  const auto game = [](std::string_view event, std::uint16_t year, std::string_view id) {
    return GameOfPeople{.white = "Zwilling, Zoe",
                        .black = "Nobody, At all",
                        .date = {.year = year},
                        .event = event,
                        .white_id = id};
  };
  show({game("y", 1968, ""), game("z", 1968, ""), game("z", 1969, "1004")});
  EXPECT_EQ(id_of(0, codec::Color::White), 1003U);
  EXPECT_EQ(id_of(1, codec::Color::White), 0U);
  EXPECT_EQ(id_of(2, codec::Color::White), 1004U);
}

// With ids on all sides, the people are the ids, in each format, and with the games dealt to
// several databases.
TEST_F(PeopleIdsTest, AreTheIdsUnderAnyNames) {
  const std::vector<std::string_view> ids = {"1001", "1002", "1003", "1004", "2001", "2002"};
  const std::vector<std::string_view> names = {"Alt, Anton", "Alt, Toni", "Neu,N",  "Zwilling, Zoe",
                                               "Zwilling,Z", "Xxx, Yyy",  "Neu",    "?",
                                               "Liste,Lena", "Liste",     "Dora D", "1002"};
  tests::Random random(1);
  std::vector<GameOfPeople> games;
  std::map<std::string_view, std::set<int>> expected;
  constexpr int kGames = 300;
  for (int number = 1; number <= kGames; ++number) {
    const std::size_t white = random.below(ids.size());
    const std::size_t black = (white + 1 + random.below(ids.size() - 1)) % ids.size();
    games.push_back({.white = names[random.below(names.size())],
                     .black = names[random.below(names.size())],
                     .date = {.year = static_cast<std::uint16_t>(random.one_in(9) ? 0 : 1990)},
                     .event = random.one_in(2) ? "y" : "z",
                     .white_id = ids[white],
                     .black_id = ids[black]});
    // Not born in 1990.
    if (games.back().date.year != 0) {
      if (ids[white] == "2001") games.back().white_id = ids[0];
      if (ids[black] == "2001") games.back().black_id = ids[1];
      if (games.back().white_id == games.back().black_id) games.back().black_id = ids[2];
    }
    expected[games.back().white_id].insert(number);
    expected[games.back().black_id].insert(number);
  }
  std::vector<std::string> rows;
  for (const auto& [id, numbers] : expected)
    rows.push_back(fmt::format("{}|{}", numbers.size(), id));
  const tests::ScidFiles files = people_files(games);
  put("four", files);
  put("five", tests::as_scid5(files), tests::replace, ".si5");
  options_.database.cache_folder = folder_ / "cache";  // where games of PGN files are
  open(source_ / "four.si4");
  put(source_ / "text.pgn", text("all.pgn"));
  for (const std::string_view source : {"four.si4", "five.si5", "text.pgn"}) {
    open(source_ / source);
    EXPECT_THAT(columns("people.tsv", {1, 19}), UnorderedElementsAreArray(rows)) << source;
    for (const auto& [id, numbers] : expected) {
      EXPECT_THAT(games_of(id), testing::ElementsAreArray(numbers)) << source << ' ' << id;
    }
    EXPECT_THAT(columns("people/_unresolved.tsv", {0}), IsEmpty()) << source;
  }
  close();
  for (const std::string_view name : {"four.si4", "five.si5", "text.pgn"}) {
    std::filesystem::remove(source_ / name);
  }
  const std::span<const GameOfPeople> all(games);
  for (const auto& [name, from, count] :
       {std::tuple("a", 0, 100), std::tuple("b", 100, 0), std::tuple("c", 100, 200)}) {
    const auto some = all.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count));
    put(name, people_files({some.begin(), some.end()}));
  }
  open(source_);
  EXPECT_THAT(columns("together/people.tsv", {1, 19}), UnorderedElementsAreArray(rows));
  EXPECT_THAT(columns("together/people/_unresolved.tsv", {0}), IsEmpty());
}

// Both names are of both persons.
TEST_F(PeopleIdsTest, TellWhoPlaysAgainstWhom) {
  const auto game = [](std::string_view white_id, std::string_view black_id) {
    return GameOfPeople{.white = "Wang, Y",
                        .black = "Wang, Y.",
                        .date = {.year = 2010},
                        .event = "y",
                        .white_id = white_id,
                        .black_id = black_id};
  };
  show({game("1002", "1004"), game("1004", "1002"), game("1002", "1004"), game("1002", "2001")});
  const auto opponents = ElementsAre("Zwilling, Zoe|3|2|1", "Liste, Lena|1|1|0");
  for (const std::string set : {"people/ne/Neu,_Nina", "search/person=Neu,_Nina"}) {
    EXPECT_THAT(columns(set + "/opponents.tsv", {0, 1, 2, 3}), opponents) << set;
    const std::string summary = text(set + "/summary.txt");
    EXPECT_THAT(summary, testing::HasSubstr("\n4 games of 2010\n")) << set;
    EXPECT_THAT(summary, testing::HasSubstr("\n  White      3 ")) << set;
  }
}

TEST_F(PeopleIdsTest, AreKnownWhenSizesAre) {
  put("x", people_files({{.white = "Xxx, Yyy", .black = "?", .event = "y", .white_id = "1001"},
                         {.white = "Xxx, Yyy", .black = "?", .event = "y", .white_id = "1002"}}));
  for (const Evidence evidence : {Evidence::AgeAndElo, Evidence::Lifetime}) {
    options_.database.evidence = evidence;
    const auto database = Database::open(source_ / "x.si4", "x", options_.database);
    ASSERT_TRUE(database.ok());
    const bool do_count = evidence == Evidence::AgeAndElo;
    const auto people = (*database)->people(WorkBudget::limited(1));
    EXPECT_EQ(absl::IsUnavailable(people.status()), do_count) << people.status();
    ASSERT_NE((*database)->people(), nullptr);
    EXPECT_EQ((*database)->people()->persons().size(), do_count ? 2 : 0);
    EXPECT_EQ((*database)->sizes().complete(), do_count);
  }
}

// A game file that ends early: the ids that can be read count.
TEST_F(PeopleIdsTest, AreLeftOutOfGamesThatCannotBeRead) {
  std::vector<GameOfPeople> games(
      40'000, {.white = "Xxx, Yyy", .black = "?", .event = "y", .white_id = "1001"});
  put("x", people_files(games));
  const auto database = Database::open(source_ / "x.si4", "x", options_.database);
  ASSERT_TRUE(database.ok());
  std::filesystem::resize_file(source_ / "x.sg4",
                               std::filesystem::file_size(source_ / "x.sg4") / 2);
  const People* const people = (*database)->people();
  ASSERT_NE(people, nullptr);
  EXPECT_FALSE((*database)->sizes().complete());
}

class StoredIdsTest : public PeopleIdsTest {
 protected:
  StoredIdsTest() {
    options_.database.cache_folder = folder_ / "cache";
    options_.database.index_games = 1;
    std::vector<GameOfPeople> games;
    for (int i = 0; i < 1200; ++i) {
      games.push_back({.white = "Xxx, Yyy",
                       .black = "?",
                       .event = "y",
                       .white_id = i % 5 == 0 ? "1001" : "",
                       .black_id = i % 7 == 0 ? "1002" : ""});
    }
    put("x", people_files(games));
  }
  ~StoredIdsTest() override { close(); }

  Path cache_file(std::string_view extension) const {
    if (!std::filesystem::exists(folder_ / "cache")) return {};
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "cache")) {
      if (is_cache_name(file.path().filename().native(), extension)) return file.path();
    }
    return {};
  }
  void wait_for(std::string_view extension) const {
    for (int i = 0; i < 3000 && cache_file(extension).empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_FALSE(cache_file(extension).empty());
  }
  std::string opened_people() {
    open(source_ / "x.si4");
    return text("people.tsv");
  }
};

TEST_F(StoredIdsTest, AreMappedWithIndex) {
  options_.database.index_bytes = std::uint64_t{1} << 30;
  const std::string expected = opened_people();
  EXPECT_THAT(columns("people.tsv", {1, 19}), UnorderedElementsAreArray({"240|1001", "172|1002"}));
  wait_for(kIndexExtension);
  close();
  const Path path = cache_file(kIndexExtension);
  const std::string good = tests::read_file(path);
  EXPECT_EQ(opened_people(), expected);
  EXPECT_TRUE(database().is_stored());
  close();
  using Change = void (*)(tests::IndexSections&);
  const std::vector<Change> changes = {
      [](auto& file) { file.set(StoredPart::IdBlocks, 4, std::uint64_t{1}); },
      [](auto& file) { file[StoredPart::IdBlocks].resize(40); },
      [](auto& file) { file[StoredPart::IdBlocks] += '\0'; },
      [](auto& file) { file[StoredPart::IdNumbers].clear(); },
      [](auto& file) { file[StoredPart::IdNumbers] += '\0'; },
      [](auto& file) { file.set(StoredPart::Ids, 1, std::uint32_t{0}); },
      [](auto& file) { file[StoredPart::Ids] += "ab"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    tests::IndexSections sections = tests::IndexSections::of(good);
    changes[i](sections);
    tests::write_file(path, sections.file());
    EXPECT_EQ(opened_people(), expected) << i;
    EXPECT_FALSE(database().is_stored()) << i;
    close();
  }
}

TEST_F(StoredIdsTest, AreSavedWithSizes) {
  options_.database.index_bytes = 0;
  const std::string expected = opened_people();
  close();
  const Path path = cache_file(".sizes");
  ASSERT_FALSE(path.empty());
  auto database = *Database::open(source_ / "x.si4", "x.si4", options_.database);
  ASSERT_TRUE(database->load_kept());
  EXPECT_TRUE(database->sizes().complete());
  EXPECT_EQ(database->found_ids().known()->games().size(), 240U + 172U - 35U);
  EXPECT_EQ(opened_people(), expected);
  close();
  // Sizes of a program that knew no ids had another key: they are found again, with the ids.
  std::vector<std::uint32_t> old = database->copy_kept();
  old.resize(old.size() - 3 * database->found_ids().known()->games().size());
  ASSERT_TRUE(save_words(path, database->fingerprint(), old).ok());
  const std::string saved = tests::read_file(path);
  database = *Database::open(source_ / "x.si4", "x.si4", options_.database);
  EXPECT_FALSE(database->load_kept());
  EXPECT_EQ(database->sizes().known(), 0U);
  EXPECT_EQ(opened_people(), expected);
  EXPECT_NE(tests::read_file(path), saved);
}

}  // namespace
}  // namespace scidfs::fs
