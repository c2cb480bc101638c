#include "fs/pages/rating_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "codec/types.h"
#include "fs/tables/person_text.h"
#include "fs/tables/set_facts.h"

namespace scidfs::fs {
namespace {

// The place of the curve in the picture, in its units: labels stand to the left and below.
constexpr std::uint32_t kPlotLeft = 64;
constexpr std::uint32_t kPlotTop = 14;
constexpr std::uint32_t kPlotWidth = 628;
constexpr std::uint32_t kPlotHeight = 252;

// Time counts in halves of a month.
constexpr std::uint32_t kTimesOfYear = 24;

struct RatingPoint {
  codec::Date date;  // a month, or a year if the month is unknown
  std::uint32_t elo = 0;

  // Returns the middle of the month, or of the year.
  std::uint32_t time() const {
    const std::uint32_t within = date.month == 0 ? kTimesOfYear / 2 : 2U * date.month - 1;
    return date.year * kTimesOfYear + within;
  }
  std::string in_words() const { return fmt::format("{} in {}", elo, known_date(date)); }
};

// Returns the known ratings in the order of time, without those of unknown years.
std::vector<RatingPoint> points_of(std::span<const std::uint16_t> elo_by_month) {
  std::vector<RatingPoint> points;
  for (std::size_t i = SetFacts::kMonths; i < elo_by_month.size(); ++i) {
    if (elo_by_month[i] == 0) continue;
    points.push_back({.date = {.year = static_cast<std::uint16_t>(i / SetFacts::kMonths),
                               .month = static_cast<std::uint8_t>(i % SetFacts::kMonths)},
                      .elo = elo_by_month[i]});
  }
  std::ranges::sort(points, {}, &RatingPoint::time);
  return points;
}

// The marks of an axis, the last one beyond all values.
struct Axis {
  std::uint32_t first = 0, last = 0, step = 0;
};

// Returns an axis of at most seven marks at multiples of `unit`, or of 2, 5, 10, 20, ... units.
Axis axis_over(std::uint32_t least, std::uint32_t most, std::uint32_t unit) {
  constexpr std::uint32_t kMostSteps = 6;
  for (;; unit *= 10) {
    for (const std::uint32_t step : {unit, 2 * unit, 5 * unit}) {
      const Axis axis{.first = least / step * step, .last = (most / step + 1) * step, .step = step};
      if (axis.last - axis.first <= kMostSteps * step) return axis;
    }
  }
}

}  // namespace

void add_rating_curve(std::span<const std::uint16_t> elo_by_month, Html& html) {
  const std::vector<RatingPoint> points = points_of(elo_by_month);
  if (points.size() < 2) return;
  const RatingPoint& highest = *std::ranges::max_element(points, {}, &RatingPoint::elo);
  const RatingPoint& lowest = *std::ranges::min_element(points, {}, &RatingPoint::elo);
  const Axis years = axis_over(points.front().date.year, points.back().date.year, 1);
  const Axis elos = axis_over(lowest.elo, highest.elo, 10);
  const auto x = [&](std::uint32_t time) {
    return kPlotLeft + (time - years.first * kTimesOfYear) * kPlotWidth /
                           ((years.last - years.first) * kTimesOfYear);
  };
  const auto y = [&](std::uint32_t elo) {
    return kPlotTop + (elos.last - elo) * kPlotHeight / (elos.last - elos.first);
  };

  const Html::Scope figure = html.in("figure", {{"class", "curve"}});
  html.add("p",
           fmt::format("Elo from {} to {}, highest {}", points.front().in_words(),
                       points.back().in_words(), highest.in_words()),
           {{"id", "ratings"}});
  const Html::Scope svg =
      html.in("svg", {{"viewBox", "0 0 720 304"}, {"role", "img"}, {"aria-labelledby", "ratings"}});
  std::string grid;
  for (std::uint32_t elo = elos.first; elo <= elos.last; elo += elos.step) {
    grid += fmt::format("M{} {}h{}", kPlotLeft, y(elo), kPlotWidth);
    html.add("text", fmt::to_string(elo), {{"class", "elo"}, {"x", "56"}, {"y", y(elo) + 8}});
  }
  for (std::uint32_t year = years.first; year <= years.last; year += years.step) {
    const std::uint32_t at = x(year * kTimesOfYear);
    grid += fmt::format("M{} {}v{}", at, kPlotTop, kPlotHeight);
    html.add("text", fmt::to_string(year), {{"x", at}, {"y", "296"}});
  }
  html.add("path", "", {{"d", grid}});
  std::string line;
  std::uint32_t before = 0;
  for (const RatingPoint& point : points) {
    // A line of no length has round ends, too: it is a dot.
    const bool goes_on = before != 0 && point.time() - before <= kTimesOfYear;
    line += fmt::format("{}{} {}{}", goes_on ? 'L' : 'M', x(point.time()), y(point.elo),
                        goes_on ? "" : "h0");
    before = point.time();
  }
  html.add("path", "", {{"class", "line"}, {"d", line}});
}

}  // namespace scidfs::fs
