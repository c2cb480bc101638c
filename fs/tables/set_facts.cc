#include "fs/tables/set_facts.h"

#include <algorithm>
#include <utility>

namespace scidfs::fs {
namespace {

using codec::Color;

constexpr std::array kSides = {Color::White, Color::Black};

void keep_longer(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(~of.plies, of.game); };
  if (other.plies != 0 && rank(other) < rank(length)) length = other;
}

void keep_shorter(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(of.plies, of.game); };
  if (other.plies != 0 && (length.plies == 0 || rank(other) < rank(length))) length = other;
}

// Returns the month of a date, 0 for one that no calendar has.
std::size_t month_of(std::uint32_t date) {
  const std::size_t month = codec::unpack_date(date).month;
  return month < SetFacts::kMonths ? month : 0;
}

}  // namespace

void Ratings::add(std::uint32_t elo, GameOfPart of, Color side) {
  ++sides;
  average.add(elo);
  if (elo < highest || elo == 0) return;
  if (elo > highest || std::pair(of, side) < std::pair(game, color)) {
    highest = elo;
    game = of;
    color = side;
  }
}

Ratings& Ratings::operator+=(const Ratings& other) {
  const std::uint64_t all = sides + other.sides;
  const Average sum = Average(average) += other.average;
  if (other.highest != 0) add(other.highest, other.game, other.color);
  sides = all;
  average = sum;
  return *this;
}

SetFacts::SetFacts() : years(ColumnBatch::kYears) {}

void SetFacts::add(std::uint32_t part, const ColumnBatch& rows, const Subject* subject) {
  if (subject != nullptr) elo_by_month.resize(ColumnBatch::kYears * kMonths);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const GameOfPart game{.part = part, .game = rows.games()[row]};
    ++years[rows.year(row)];
    if (subject == nullptr) {
      score.add(rows.result(row), true, false);
      for (const Color side : kSides) own.add(rows.elo(row, side), game, side);
      continue;
    }
    const auto is_subject = [&](Color side) { return subject->is(rows, row, side); };
    score.add(rows.result(row), is_subject(Color::White), is_subject(Color::Black));
    for (const Color side : kSides) {
      if (!is_subject(side)) continue;
      own.add(rows.elo(row, side), game, side);
      opponents.add(rows.elo(row, ~side), game, ~side);
      std::uint16_t& highest = elo_by_month[rows.year(row) * kMonths + month_of(rows.date(row))];
      highest = std::max(highest, static_cast<std::uint16_t>(rows.elo(row, side)));
    }
  }
}

bool SetFacts::may_be_surpassed(const PlyRange& plies) const {
  if (plies.most == 0) return false;
  return plies.most > longest.plies || plies.least < shortest.plies;
}

void SetFacts::add(const GameLength& length) {
  keep_longer(length, longest);
  keep_shorter(length, shortest);
}

SetFacts& SetFacts::operator+=(const SetFacts& other) {
  score += other.score;
  for (std::size_t year = 0; year < years.size(); ++year) years[year] += other.years[year];
  own += other.own;
  opponents += other.opponents;
  elo_by_month.resize(std::max(elo_by_month.size(), other.elo_by_month.size()));
  for (std::size_t month = 0; month < other.elo_by_month.size(); ++month) {
    elo_by_month[month] = std::max(elo_by_month[month], other.elo_by_month[month]);
  }
  keep_longer(other.longest, longest);
  keep_shorter(other.shortest, shortest);
  return *this;
}

}  // namespace scidfs::fs
