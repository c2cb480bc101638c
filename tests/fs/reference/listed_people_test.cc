#include "fs/reference/listed_people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/reference/spelling.h"
#include "tests/support/player_list.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint16_t kMonthOfList = 2024 * 12 + 6;

std::shared_ptr<const PlayerList> list_of(const std::vector<tests::ListedPlayer>& players) {
  PlayerListBuilder builder;
  codec::scid::LineCutter lines;
  lines.add(tests::player_list(players),
            [&](std::uint64_t, std::string_view line) { builder.add(line); });
  absl::StatusOr<PlayerList::Arrays> arrays = std::move(builder).finish(kMonthOfList);
  EXPECT_TRUE(arrays.ok()) << arrays.status();
  return std::make_shared<const PlayerList>(*std::move(arrays));
}

class JoinTest : public testing::Test {
 protected:
  std::shared_ptr<const Spelling> join(const std::string& people,
                                       const std::vector<tests::ListedPlayer>& players) const {
    tests::write_file(path_, "@PLAYER \"., -_*\"\n" + people);
    auto spelling = Spelling::load(
        *SourceFile::open(path_), {}, [] { return false; }, list_of(players));
    EXPECT_TRUE(spelling.ok()) << spelling.status();
    return *spelling;
  }
  // What is known of a person, in one line.
  static std::string known(const Spelling& spelling, std::uint32_t number) {
    const SpellingIndex::Person person = spelling.person(number);
    std::string text = fmt::format("{} {} {} {} {} {}", person.name, person.countries,
                                   codec::scid::titles_to_string(person.titles), person.born.year,
                                   person.fide_id, person.best);
    std::vector<MonthRating> ratings = {{.month = 1, .elo = 2}};  // of another person
    spelling.append_ratings(number, ratings);
    for (std::size_t i = 1; i < ratings.size(); ++i) {
      text += fmt::format(" {}:{}", ratings[i].month, ratings[i].elo);
    }
    return text;
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "x.ssp";
};

TEST_F(JoinTest, JoinsByIdOrBySingleFullName) {
  const std::vector<tests::ListedPlayer> list = {
      {.id = 1, .name = "Alfa-Beta, Anna", .rating = 2400, .born = 1981, .title = "GM"},
      {.id = 2, .name = "Bravo, Bo", .rating = 2100, .born = 1990, .title = "FM"},
      {.id = 3, .name = "Charlie, Carl", .rating = 2100, .born = 1990},
      {.id = 4, .name = "Delta, Dan", .born = 1990},
      {.id = 5, .name = "Echo, Eva", .born = 1990},
      {.id = 6, .name = "Echo, Eva", .born = 1990},
      {.id = 7, .name = "Foxtrot, F", .born = 1990},
      {.id = 8, .name = "Golf, Gus", .rating = 2100, .born = 1990},
      {.id = 9, .name = "India, Ida", .rating = 2100, .born = 1990},
      {.id = 10, .name = "Juliett, Jo", .rating = 2450, .born = 1970, .title = "GM"},
      {.id = 11, .name = "Lima, Lou", .born = 1990},
      {.id = 12, .name = "Mike, Mo"},
  };
  struct Case {
    std::string lines;
    std::string known;
  };
  const std::vector<Case> cases = {
      // By the id. What the file knows stays.
      {"Alfa, Anna #IM DEN [2350] 1980\n%Bio FIDEID 1\n",
       "Alfa, Anna DEN IM 1980 1 2400 24294:2400"},
      {"Alfa, Anna #-\n%Bio FIDEID 1\n", "Alfa, Anna NOR GM 1981 1 0 24294:2400"},
      // By the name and the year of birth.
      {"Bravo,Bo #- [2000] 1990.01.02\n", "Bravo,Bo NOR FM 1990 2 2100 24294:2100"},
      {"Bravo, Bo #- [2000] 1990\n = Bravo, Bob\n = Bravo Bo\n",
       "Bravo, Bo NOR FM 1990 2 2100 24294:2100"},
      {"Juliett, Jo #IM DEN [2500] 1970\n", "Juliett, Jo DEN IM 1970 10 2500 24294:2450"},
      // An unknown or another year of birth, id or case; the name of several; not a full one.
      {"Bravo, Bo #- [2000]\n", "Bravo, Bo   0 0 2000"},
      {"Mike, Mo #- [2000] 1990\n", "Mike, Mo   1990 0 2000"},
      {"Mike, Mo #- [2000]\n", "Mike, Mo   0 0 2000"},
      {"Charlie, Carl #- NOR [2000] 1950\n", "Charlie, Carl NOR  1950 0 2000"},
      {"India, Ida #- [2000] 1990\n%Bio FIDEID 99\n", "India, Ida   1990 99 2000"},
      {"bravo, Bo #- [2000] 1990\n", "bravo, Bo   1990 0 2000"},
      {"Delta, Dan #- [2000] 1990\nDelta, Dan #-\n", "Delta, Dan   1990 0 2000"},
      {"Delta, Dan #- [2000] 1990\nDelta, Daniel #-\n = Delta, Dan\n", "Delta, Dan   1990 0 2000"},
      {"Echo, Eva #- [2000] 1990\n", "Echo, Eva   1990 0 2000"},
      {"Foxtrot, F #- [2000] 1990\n", "Foxtrot, F   1990 0 2000"},
      // People of other times.
      {"Golf, Gus #- [2300*] 1990\n", "Golf, Gus   1990 0 2300"},
      {"Golf, Gus #- NOR [2300] 1990--2020\n", "Golf, Gus NOR  1990 0 2300"},
      // The entry is another person's by the id; another spelling is no name.
      {"Lima, Lou #- [2000] 1990\nLambda, Lou #-\n%Bio FIDEID 11\n", "Lima, Lou   1990 0 2000"},
      {"Limes, Lou #- [2000] 1990\n = Lima, Lou\n", "Limes, Lou   1990 0 2000"},
      // The list's rating is one of several.
      {"Bravo, Bo #- [2000] 1990\n%Elo 2020:2050 2024:2000,2010 2025:2200\nBravo, Bert #-\n",
       "Bravo, Bo NOR FM 1990 2 2200 24240:2050 24288:2000 24294:2010 24300:2200"},
      {"Bravo, Bo #- [2000] 1990\n%Elo 2020:2050 2025:2200\nBravo, Bert #-\n",
       "Bravo, Bo NOR FM 1990 2 2200 24240:2050 24294:2100 24300:2200"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(known(*join(test.lines, list), 0), test.known) << test.lines;
  }
}

TEST_F(JoinTest, PeopleOfTheListComeAfterThoseOfTheFile) {
  const auto spelling = join("Bravo, Bo #- [2000] 1990\nAlfa, Anna #-\n%Bio FIDEID 1\n",
                             {{.id = 3, .name = "Neumann, Nora", .rating = 1900, .born = 2000},
                              {.id = 1, .name = "Alfa-Beta, Anna"},
                              {.id = 2, .name = "Bravo, Bo", .born = 1990},
                              {.id = 4, .name = "Neumann, Nora"},
                              {.id = 5, .name = "Initial, V"},
                              {.id = 6, .name = "Initials, V.K."},
                              {.id = 7, .name = "Capitals, VK"},
                              {.id = 8, .name = "Word"},
                              {.id = 9, .name = "Kurz, V Anders"}});
  ASSERT_EQ(spelling->persons(), 2 + 9);
  EXPECT_EQ(known(*spelling, 2 + 2), "Neumann, Nora NOR  2000 3 0 24294:1900");
  const auto details = spelling->details(4);
  ASSERT_TRUE(details.ok()) << details.status();
  EXPECT_THAT(details->notes, IsEmpty());
  EXPECT_THAT(spelling->find_listed("Neumann, Nora"), ElementsAre(4, 5));
  EXPECT_THAT(spelling->find_listed(" Neumann,Nora (NOR)"), ElementsAre(4, 5));
  EXPECT_THAT(spelling->find_listed("Bravo, Bo"), ElementsAre(0));
  EXPECT_THAT(spelling->find_listed("Alfa Beta, Anna"), ElementsAre(1));
  for (const char* const name :
       {"Alfa, Anna", "Neumann, N", "Neumann", "neumann, nora", "Nora Neumann", "", ",", ", Nora",
        "Initial, V", "Initials, V.K.", "Capitals, VK", "Word", "Kurz, V Anders"}) {
    EXPECT_THAT(spelling->find_listed(name), IsEmpty()) << name;
  }
}

TEST_F(JoinTest, ListAloneHasPeople) {
  const auto spelling = Spelling::of_list(list_of({{.id = 3, .name = "Neumann, Nora"}}));
  EXPECT_EQ(spelling->persons(), 1);
  EXPECT_THAT(spelling->find_listed("Neumann,Nora"), ElementsAre(0));
  EXPECT_EQ(spelling->find_player("Neumann, Nora").kind, Spelling::Found::Kind::Nobody);
  EXPECT_EQ(Spelling::of_nobody()->persons(), 0);
  EXPECT_THAT(Spelling::of_nobody()->find_listed("Neumann, Nora"), IsEmpty());
}

}  // namespace
}  // namespace scidfs::fs
