#include "fs/database/person_evidence.h"

#include <algorithm>
#include <cassert>

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kMonths = 12;
constexpr std::uint32_t kNear = 150;
constexpr std::uint32_t kNearWithoutMonth = 250;
constexpr std::uint32_t kMonthsOfActivity = 5 * kMonths;
constexpr unsigned kYoungestMaster = 12;
constexpr unsigned kOldestMaster = 80;

// Returns the month of a date with a year, as MonthRating has it: the middle of the year if the
// month is unknown.
std::uint32_t month_of(std::uint32_t packed) {
  const codec::Date date = codec::unpack_date(packed);
  const std::uint32_t month = date.month == 0 ? kMonths / 2 : date.month - std::uint32_t{1};
  return date.year * kMonths + month;
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

// The last known rating before a month, and the first one in it or later; null: none.
struct Neighbors {
  const MonthRating* before = nullptr;
  const MonthRating* after = nullptr;
};

Neighbors neighbors(std::span<const MonthRating> ratings, std::uint32_t month) {
  const auto after = std::ranges::lower_bound(ratings, month, {}, &MonthRating::month);
  return {.before = after == ratings.begin() ? nullptr : &*(after - 1),
          .after = after == ratings.end() ? nullptr : &*after};
}

struct RatingThen {
  std::uint32_t elo = 0;
  std::uint32_t near = 0;  // the difference up to which another rating is near
};

// Returns the rating of a month, interpolated between two that are at most kMonthsOfRating apart,
// or else the nearest one that is not farther away.
std::optional<RatingThen> rating_in(std::span<const MonthRating> ratings, std::uint32_t month) {
  const auto [before, after] = neighbors(ratings, month);
  if (after != nullptr && after->month == month) return RatingThen{after->elo, kNear};
  if (before != nullptr && after != nullptr) {
    const std::uint32_t months = std::uint32_t{after->month} - before->month;
    if (months <= kMonthsOfRating) {
      const std::uint32_t passed = month - before->month;
      return RatingThen{(before->elo * (months - passed) + after->elo * passed) / months, kNear};
    }
  }
  std::optional<RatingThen> nearest;
  std::uint32_t least = kMonthsOfRating + 1;
  for (const MonthRating* const rating : {before, after}) {
    if (rating == nullptr || distance(rating->month, month) >= least) continue;
    least = distance(rating->month, month);
    nearest = RatingThen{rating->elo, kNearWithoutMonth};
  }
  return nearest;
}

PersonVerdict verdict_by_elo(std::span<const PersonFacts> table, const Candidates& candidates,
                             const SideFacts& game) {
  PersonVerdict verdict;
  std::uint32_t last = Candidates::kNobody;
  for (const std::uint32_t place : candidates.places) {
    const Fit fit = fit_of(table[place], game);
    if (fit == Fit::Unknown) ++verdict.unknown;
    if (fit != Fit::Near) continue;
    ++verdict.near;
    last = place;
  }
  if (verdict.near == 1 && (verdict.unknown == 0 || last == candidates.named)) verdict.place = last;
  return verdict;
}

}  // namespace

Fit fit_of(const PersonFacts& person, const SideFacts& game) {
  assert(game.elo != 0);
  if (person.against(game).has_value()) return Fit::Out;
  if (person.ratings.empty() || game.date >> codec::kYearShift == 0) return Fit::Unknown;
  const std::optional<RatingThen> then = rating_in(person.ratings, month_of(game.date));
  if (!then.has_value()) return Fit::Unknown;
  const std::uint32_t difference = distance(then->elo, game.elo);
  if (difference >= PersonFacts::kTooFar) return Fit::Out;
  return difference <= then->near ? Fit::Near : Fit::Far;
}

bool is_active(const PersonFacts& person, const SideFacts& game) {
  const std::uint32_t year = game.date >> codec::kYearShift;
  if (year == 0) return false;
  const bool is_of_age = person.born != 0 && year >= person.born + kYoungestMaster &&
                         year <= person.born + kOldestMaster;
  if (person.is_master && is_of_age) return true;
  if (person.ratings.empty()) return false;
  const std::uint32_t month = month_of(game.date);
  const auto [before, after] = neighbors(person.ratings, month);
  return std::ranges::any_of(
      std::initializer_list<const MonthRating*>{before, after}, [month](const MonthRating* rating) {
        return rating != nullptr && distance(rating->month, month) <= kMonthsOfActivity;
      });
}

PersonVerdict verdict(std::span<const PersonFacts> table, const Candidates& candidates,
                      const SideFacts& game) {
  if (game.elo != 0) return verdict_by_elo(table, candidates, game);
  if (game.date >> codec::kYearShift == 0) return {};
  std::uint32_t possible = 0, active = 0;
  std::uint32_t last_possible = Candidates::kNobody, last_active = Candidates::kNobody;
  bool is_named_possible = false;
  for (const std::uint32_t place : candidates.places) {
    if (table[place].against(game).has_value()) continue;
    ++possible;
    last_possible = place;
    is_named_possible |= place == candidates.named;
    if (!is_active(table[place], game)) continue;
    ++active;
    last_active = place;
  }
  if (active == 1) return {.place = last_active};
  if (active != 0) return {};
  if (is_named_possible) return {.place = candidates.named};
  if (candidates.are_namesakes && possible == 1) return {.place = last_possible};
  return {};
}

}  // namespace scidfs::fs
