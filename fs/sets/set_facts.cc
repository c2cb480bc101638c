#include "fs/sets/set_facts.h"

#include <span>
#include <tuple>
#include <utility>

#include "fs/sets/set_columns.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::scid::IndexEntry;
using Column = PackedIndex::Column;

constexpr std::size_t kYears = 2048;

void keep_longer(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(of.plies, ~of.game); };
  if (other.plies != 0 && rank(other) > rank(length)) length = other;
}

void keep_shorter(const GameLength& other, GameLength& length) {
  const auto rank = [](const GameLength& of) { return std::pair(of.plies, of.game); };
  if (other.plies != 0 && (length.plies == 0 || rank(other) < rank(length))) length = other;
}

// What one thread has counted.
class Tally {
 public:
  absl::Status add(const Database& database, const std::optional<Subject>& subject,
                   std::size_t block, std::span<const GameIndex> games);
  SetFacts& facts() { return facts_; }

 private:
  // Values of columns_, those of a player by his colour.
  static constexpr std::size_t kPlayer = 0, kRating = 2, kResult = 4, kDate = 5;

  void add_all(std::size_t row, GameIndex game);
  void add_subject(const Subject& subject, std::size_t row, GameIndex game);
  Outcome outcome(std::size_t row, Color side) const {
    return outcome_of(static_cast<codec::Result>(columns_[kResult][row]), side);
  }
  std::uint32_t elo(std::size_t row, Color side) const {
    return elo_of(columns_[kRating + static_cast<std::size_t>(side)][row]);
  }

  SetFacts facts_;
  SetColumns<6> columns_{{Column::White, Column::Black, Column::WhiteRating, Column::BlackRating,
                          Column::Result, Column::Date}};
  std::vector<IndexEntry> entries_;
};

void Tally::add_all(std::size_t row, GameIndex game) {
  facts_.scores[0].add(outcome(row, Color::White));
  for (const Color side : {Color::White, Color::Black}) {
    facts_.own.add(elo(row, side), game, side);
  }
}

void Tally::add_subject(const Subject& subject, std::size_t row, GameIndex game) {
  for (const Color side : {Color::White, Color::Black}) {
    const auto i = static_cast<std::size_t>(side);
    if (!subject.is(columns_[kPlayer + i][row], side)) continue;
    facts_.scores[i].add(outcome(row, side));
    facts_.own.add(elo(row, side), game, side);
    facts_.opponents.add(elo(row, ~side), game, ~side);
  }
}

absl::Status Tally::add(const Database& database, const std::optional<Subject>& subject,
                        std::size_t block, std::span<const GameIndex> games) {
  absl::Status status = database.index_file().read_entries(block, games, entries_);
  if (!status.ok()) return status;
  columns_.read(database.index(), block, games);
  for (std::size_t row = 0; row < games.size(); ++row) {
    if (subject.has_value()) {
      add_subject(*subject, row, games[row]);
    } else {
      add_all(row, games[row]);
    }
    ++facts_.years[year_of(columns_[kDate][row])];
    const GameLength length{.plies = entries_[row].plies, .game = games[row]};
    keep_longer(length, facts_.longest);
    keep_shorter(length, facts_.shortest);
  }
  return absl::OkStatus();
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

SetFacts::SetFacts() : years(kYears) {}

SetFacts& SetFacts::operator+=(const SetFacts& other) {
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += other.scores[i];
  for (std::size_t year = 0; year < kYears; ++year) years[year] += other.years[year];
  own += other.own;
  opponents += other.opponents;
  keep_longer(other.longest, longest);
  keep_shorter(other.shortest, shortest);
  return *this;
}

absl::StatusOr<SetFacts> set_facts(const Database& database, const SetWalk& walk,
                                   const std::optional<Subject>& subject, const Effort& effort) {
  std::vector<Tally> tallies(workers_for(effort, walk.stretches()));
  absl::Status status = walk.visit_all(
      tallies.size(), effort,
      [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
        return tallies[worker].add(database, subject, block, games);
      });
  if (!status.ok()) return status;
  for (std::size_t i = 1; i < tallies.size(); ++i) tallies[0].facts() += tallies[i].facts();
  return std::move(tallies[0].facts());
}

}  // namespace scidfs::fs
