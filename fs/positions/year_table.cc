#include "fs/positions/year_table.h"

#include <string_view>
#include <tuple>
#include <utility>

#include "codec/san.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/positions/moves_played.h"
#include "fs/scan/row_tally.h"

namespace scidfs::fs {
namespace {

constexpr unsigned kYearShift = 16;  // above a MoveNumber

struct YearRow {
  std::size_t year;
  const Score& score;
  const Average& elo;
  const std::string& best_move;
};

constexpr TsvColumns kYearColumns{
    TsvColumn{"year", [](const YearRow& row) { return known(row.year); }},
    TsvColumn{"games", [](const YearRow& row) { return row.score.all(); }},
    TsvColumn{"white_wins", [](const YearRow& row) { return row.score[Outcome::Win]; }},
    TsvColumn{"draws", [](const YearRow& row) { return row.score[Outcome::Draw]; }},
    TsvColumn{"black_wins", [](const YearRow& row) { return row.score[Outcome::Loss]; }},
    TsvColumn{"score", [](const YearRow& row) { return percent_of(row.score); }},
    TsvColumn{"average_elo", [](const YearRow& row) { return known(row.elo.value()); }},
    TsvColumn{"best_move", [](const YearRow& row) -> std::string_view { return row.best_move; }},
};

}  // namespace

void YearTally::add(const MoveTally::Game& game) {
  Year& year = years_[game.year];
  year.score.add(outcome_of(game.result, codec::Color::White));
  for (const std::uint32_t elo : game.elo) year.elo.add(elo);
}

void YearTally::add_move(std::uint32_t year, const codec::Move& move, std::uint32_t games) {
  Played& played = moves_[year << kYearShift | number_of(move)];
  played.move = move;
  played.games += games;
}

YearTally& YearTally::operator+=(const YearTally& other) {
  for (std::size_t year = 0; year < years_.size(); ++year) {
    years_[year].score += other.years_[year].score;
    years_[year].elo += other.years_[year].elo;
  }
  for (const auto& [key, played] : other.moves_) {
    add_move(key >> kYearShift, played.move, played.games);
  }
  return *this;
}

std::vector<std::string> YearTally::best_moves(const codec::Position& position) const {
  struct Best {
    std::uint32_t games = 0;
    std::string san{};
    MoveNumber number = 0;
  };
  std::vector<Best> best(years_.size());
  for (const auto& [key, played] : moves_) {
    Best& of_year = best[key >> kYearShift];
    if (played.games < of_year.games) continue;
    Best here{.games = played.games,
              .san = san_without_marks(position, played.move),
              .number = number_of(played.move)};
    const bool is_better = here.games > of_year.games ||
                           std::tie(here.san, here.number) < std::tie(of_year.san, of_year.number);
    if (is_better) of_year = std::move(here);
  }
  std::vector<std::string> moves;
  moves.reserve(best.size());
  for (Best& of_year : best) moves.push_back(std::move(of_year.san));
  return moves;
}

std::string YearTally::table(const codec::Position* position) const {
  const std::vector<std::string> moves =
      position == nullptr ? std::vector<std::string>(years_.size()) : best_moves(*position);
  std::string text = kYearColumns.header();
  for (std::size_t i = 1; i <= years_.size(); ++i) {
    const std::size_t number = i % years_.size();
    const auto& [score, elo] = years_[number];
    if (score.all() == 0) continue;
    kYearColumns.append_row(
        YearRow{.year = number, .score = score, .elo = elo, .best_move = moves[number]}, text);
  }
  return text;
}

namespace {

absl::StatusOr<YearTally> count_years(const DatabaseGames& set, const WorkBudget& budget) {
  return tally_rows<YearTally>(set, MoveTally::Game::kColumns, budget,
                               [](YearTally& tally, const ColumnBatch& rows) {
                                 for (std::size_t row = 0; row < rows.size(); ++row) {
                                   tally.add(MoveTally::Game::of(rows, row));
                                 }
                               });
}

}  // namespace

absl::StatusOr<std::string> year_table(const GameSet& parts, const WorkBudget& budget) {
  YearTally all;
  for (const DatabaseGames& part : parts) {
    ASSIGN_OR_RETURN(const YearTally years, count_years(part, budget));
    all += years;
  }
  return all.table(nullptr);
}

absl::StatusOr<std::string> year_table(const GameSet& parts, const codec::TargetPosition& position,
                                       const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const YearTally tally, years_played(parts, position, budget));
  return tally.table(&position.position);
}

}  // namespace scidfs::fs
