// Whose a game is, by the facts of all persons whom the name can mean.
#include "fs/database/person_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "fs/database/person_claims.h"

namespace scidfs::fs {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::uint32_t kNone = Candidates::kNobody;

constexpr std::uint32_t date(unsigned year, unsigned month = 0) {
  return codec::pack_date(
      {.year = static_cast<std::uint16_t>(year), .month = static_cast<std::uint8_t>(month)});
}
constexpr MonthRating rating(unsigned year, unsigned month, unsigned elo) {
  return {.month = static_cast<std::uint16_t>(12 * year + month - 1),
          .elo = static_cast<std::uint16_t>(elo)};
}

TEST(PersonEvidenceTest, FitsByTheRatingAroundTheMonth) {
  const std::vector<MonthRating> ratings = {rating(2000, 1, 2400), rating(2001, 1, 2640),
                                            rating(2010, 1, 2600)};
  const PersonFacts person{.first_elo_too_high = 3040, .ratings = ratings};
  struct Case {
    std::uint32_t date, elo;
    Fit fit;
  };
  for (const Case& one : std::vector<Case>{
           {date(2000, 1), 2550, Fit::Near},
           {date(2000, 1), 2551, Fit::Far},
           {date(2000, 1), 2250, Fit::Near},
           {date(2000, 1), 2249, Fit::Far},
           {date(2000, 1), 2799, Fit::Far},
           {date(2000, 1), 2800, Fit::Out},
           {date(2000, 1), 2001, Fit::Far},
           {date(2000, 1), 2000, Fit::Out},
           {date(2000, 7), 2670, Fit::Near},  // 2520 by interpolation
           {date(2000, 7), 2671, Fit::Far},
           {date(2000), 2670, Fit::Near},      // the middle of the year
           {date(1999, 12), 2650, Fit::Near},  // of another month, so within 250
           {date(1999, 12), 2651, Fit::Far},
           {date(1997, 1), 2650, Fit::Near},  // three years before
           {date(1996, 12), 2400, Fit::Unknown},
           {date(2004, 1), 2890, Fit::Near},  // three years after
           {date(2004, 1), 2891, Fit::Far},
           {date(2004, 2), 2640, Fit::Unknown},  // between two that are too far apart
           {date(2007, 1), 2850, Fit::Near},
           {date(1980), 3039, Fit::Unknown},
           {date(1980), 3040, Fit::Out},  // never so strong
           {0, 2400, Fit::Unknown},
       }) {
    EXPECT_EQ(fit_of(person, {.date = one.date, .elo = one.elo}), one.fit)
        << (one.date >> codec::kYearShift) << ' ' << one.date << ' ' << one.elo;
  }
  // Of a person with a best rating only, a lower Elo says nothing.
  const PersonFacts best{.first_elo_too_high = 2900};
  EXPECT_EQ(fit_of(best, {.date = date(2000), .elo = 2899}), Fit::Unknown);
  EXPECT_EQ(fit_of(best, {.date = date(2000), .elo = 1200}), Fit::Unknown);
  EXPECT_EQ(fit_of(best, {.date = date(2000), .elo = 2900}), Fit::Out);
}

TEST(PersonEvidenceTest, RatedPlayersAndMastersOfAgeAreActive) {
  const std::vector<MonthRating> ratings = {rating(2000, 1, 2400)};
  const PersonFacts rated{.ratings = ratings};
  EXPECT_TRUE(is_active(rated, {.date = date(1995, 1)}));
  EXPECT_FALSE(is_active(rated, {.date = date(1994, 12)}));
  EXPECT_TRUE(is_active(rated, {.date = date(2005, 1)}));
  EXPECT_FALSE(is_active(rated, {.date = date(2005, 2)}));
  EXPECT_FALSE(is_active(rated, {}));
  const PersonFacts master{.born = 1900, .is_master = true};
  EXPECT_FALSE(is_active(master, {.date = date(1911)}));
  EXPECT_TRUE(is_active(master, {.date = date(1912)}));
  EXPECT_TRUE(is_active(master, {.date = date(1980)}));
  EXPECT_FALSE(is_active(master, {.date = date(1981)}));
  EXPECT_FALSE(is_active({.born = 1900}, {.date = date(1930)}));
  EXPECT_FALSE(is_active({.is_master = true}, {.date = date(1930)}));
}

// The candidates of a table of invented persons.
enum Person : std::uint32_t { kMaster, kAmateur, kChild, kOldMaster, kUnknown, kPersons };

TEST(PersonEvidenceTest, DecidesBetweenCandidates) {
  const std::vector<MonthRating> of_master = {rating(1990, 1, 2500), rating(1992, 1, 2500)};
  const std::vector<MonthRating> of_amateur = {rating(1990, 1, 2250), rating(1992, 1, 2250)};
  const std::vector<MonthRating> of_child = {rating(2010, 1, 1500)};
  std::vector<PersonFacts> table(kPersons);
  table[kMaster] = {.first = date(1966),
                    .first_elo_too_high = 2900,
                    .born = 1960,
                    .is_master = true,
                    .ratings = of_master};
  table[kAmateur] = {.first_elo_too_high = 2650, .ratings = of_amateur};
  table[kChild] = {
      .first = date(2006), .first_elo_too_high = 1900, .born = 2000, .ratings = of_child};
  table[kOldMaster] = {
      .first = date(1896), .last = codec::last_day_of(date(1960)), .born = 1890, .is_master = true};
  table[kUnknown] = {.first_elo_too_high = 2700};
  struct Case {
    std::string_view what;
    Candidates candidates;
    SideFacts game;
    PersonVerdict verdict;
  };
  const auto both = [](std::uint32_t a, std::uint32_t b) { return Candidates{.places = {a, b}}; };
  for (const Case& one : std::vector<Case>{
           {"one fits, the other had another rating",
            both(kMaster, kAmateur),
            {date(1991), 2500},
            {kMaster, 1, 0}},
           {"one fits, the other was not born",
            both(kMaster, kChild),
            {date(1991), 2500},
            {kMaster, 1, 0}},
           {"one fits, the other was dead",
            both(kMaster, kOldMaster),
            {date(1991), 2500},
            {kMaster, 1, 0}},
           {"both fit", both(kMaster, kAmateur), {date(1991), 2370}, {kNone, 2, 0}},
           {"one fits, of the other nothing is known",
            both(kMaster, kUnknown),
            {date(1991), 2500},
            {kNone, 1, 1}},
           {"the other was never so strong",
            both(kMaster, kUnknown),
            {date(1991), 2700},
            {kNone, 0, 0}},
           {"one fits, and is called so",
            {.places = {kMaster, kUnknown}, .named = kMaster},
            {date(1991), 2500},
            {kMaster, 1, 1}},
           {"one fits, the other is called so",
            {.places = {kMaster, kUnknown}, .named = kUnknown},
            {date(1991), 2500},
            {kNone, 1, 1}},
           {"none fits", both(kAmateur, kChild), {date(1991), 2640}, {kNone, 0, 0}},
           {"one was active", both(kMaster, kUnknown), {date(1975), 0}, {kMaster}},
           {"both were", both(kMaster, kAmateur), {date(1991), 0}, {kNone}},
           {"one was not of age", both(kMaster, kOldMaster), {date(1930), 0}, {kOldMaster}},
           {"nobody was", both(kAmateur, kUnknown), {date(1950), 0}, {kNone}},
           {"nobody was, one is called so",
            {.places = {kAmateur, kUnknown}, .named = kUnknown},
            {date(1950), 0},
            {kUnknown}},
           {"who is called so was not born",
            {.places = {kAmateur, kChild}, .named = kChild},
            {date(1950), 0},
            {kNone}},
           {"one of namesakes lived",
            {.places = {kUnknown, kChild}, .are_namesakes = true},
            {date(1950), 0},
            {kUnknown}},
           {"one of others lived", both(kUnknown, kChild), {date(1950), 0}, {kNone}},
           {"the year is unknown",
            {.places = {kAmateur, kUnknown}, .named = kUnknown},
            {0, 0},
            {kNone}},
       }) {
    const PersonVerdict is = verdict(table, one.candidates, one.game);
    EXPECT_EQ(is.place, one.verdict.place) << one.what;
    EXPECT_EQ(is.near, one.verdict.near) << one.what;
    EXPECT_EQ(is.unknown, one.verdict.unknown) << one.what;
  }
}

TEST(PersonClaimsTest, GamesWithoutEloYieldToOthersOfTheEvent) {
  const auto claim = [](std::uint32_t player, std::uint32_t event, std::uint32_t year,
                        std::uint32_t place, bool is_weak) {
    return Claim{
        .in = {.player = player, .event = event, .year = year}, .place = place, .is_weak = is_weak};
  };
  std::vector<Claims> parts(2);
  // The same person, another year, another event, another name.
  parts[0].add(claim(1, 1, 1990, 7, true));
  parts[1].add(claim(1, 1, 1990, 7, false));
  parts[0].add(claim(1, 1, 1992, 8, false));
  parts[1].add(claim(1, 2, 1990, 8, false));
  parts[1].add(claim(2, 1, 1990, 8, false));
  EXPECT_THAT(find_disputed(Claims::joined(parts)), IsEmpty());

  // Of two with an Elo, each is the person it is.
  parts[0].add(claim(3, 1, 1990, 7, false));
  parts[0].add(claim(3, 1, 1990, 8, false));
  // At New Year.
  parts[0].add(claim(4, 1, 1990, 7, true));
  parts[1].add(claim(4, 1, 1991, 8, false));
  // Both without.
  parts[0].add(claim(5, 1, 1990, 7, true));
  parts[1].add(claim(5, 1, 1990, 8, true));
  EXPECT_THAT(find_disputed(Claims::joined(parts)),
              UnorderedElementsAre(NameInEvent{4, 1, 1990}, NameInEvent{5, 1, 1990}));
}

}  // namespace
}  // namespace scidfs::fs
