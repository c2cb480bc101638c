#include "fs/tables/set_facts.h"

#include <utility>

namespace scidfs::fs {
namespace {

using codec::Color;

constexpr std::array kSides = {Color::White, Color::Black};

void keep_longer(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(of.plies, ~of.game); };
  if (other.plies != 0 && rank(other) > rank(length)) length = other;
}

void keep_shorter(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(of.plies, of.game); };
  if (other.plies != 0 && (length.plies == 0 || rank(other) < rank(length))) length = other;
}

}  // namespace

void Ratings::add(std::uint32_t elo, GameIndex of, Color side) {
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

void SetFacts::add(const ColumnBatch& rows, const std::optional<Subject>& subject) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const GameIndex game = rows.games()[row];
    ++years[rows.year(row)];
    if (!subject.has_value()) {
      score.add(rows.result(row), true, false);
      for (const Color side : kSides) own.add(rows.elo(row, side), game, side);
      continue;
    }
    const auto is_subject = [&](Color side) { return subject->is(rows.player(row, side), side); };
    score.add(rows.result(row), is_subject(Color::White), is_subject(Color::Black));
    for (const Color side : kSides) {
      if (!is_subject(side)) continue;
      own.add(rows.elo(row, side), game, side);
      opponents.add(rows.elo(row, ~side), game, ~side);
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
  keep_longer(other.longest, longest);
  keep_shorter(other.shortest, shortest);
  return *this;
}

}  // namespace scidfs::fs
