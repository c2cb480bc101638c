#include "fs/sets/opening_scores.h"

#include <algorithm>
#include <span>
#include <utility>

#include "codec/eco.h"
#include "fs/sets/set_columns.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using Column = PackedIndex::Column;

// What one thread has counted.
class Tally {
 public:
  Tally() : openings_(codec::kEcoBases + 1) {}

  void add(const PackedIndex& index, const std::optional<Subject>& subject, std::size_t block,
           std::span<const GameIndex> games) {
    columns_.read(index, block, games);
    if (subject.has_value()) players_.read(index, block, games);
    for (std::size_t row = 0; row < games.size(); ++row) {
      OpeningScore& opening =
          openings_[codec::eco_base(static_cast<codec::EcoCode>(columns_[0][row]))];
      const auto result = static_cast<codec::Result>(columns_[1][row]);
      opening.score.add(
          outcome_of(result, subject.has_value() ? side_of(*subject, row) : Color::White));
      opening.year.add(year_of(columns_[2][row]));
      opening.elo.add(elo_of(columns_[3][row]));
      opening.elo.add(elo_of(columns_[4][row]));
    }
  }

  Tally& operator+=(const Tally& other) {
    for (std::size_t base = 0; base < openings_.size(); ++base) {
      openings_[base].score += other.openings_[base].score;
      openings_[base].year += other.openings_[base].year;
      openings_[base].elo += other.openings_[base].elo;
    }
    return *this;
  }

  std::vector<OpeningScore> sorted() && {
    for (unsigned base = 0; base < openings_.size(); ++base) openings_[base].eco_base = base;
    std::erase_if(openings_, [](const OpeningScore& opening) { return opening.score.all() == 0; });
    // No code is an empty text, which comes before any other.
    const auto place = [](const OpeningScore& opening) {
      return (opening.eco_base + 1) % (codec::kEcoBases + 1);
    };
    std::ranges::sort(openings_, {}, [&](const OpeningScore& opening) {
      return std::pair(~opening.score.all(), place(opening));
    });
    return std::move(openings_);
  }

 private:
  Color side_of(const Subject& subject, std::size_t row) const {
    const bool is_black = subject.is(players_[1][row], Color::Black);
    return is_black && !subject.is(players_[0][row], Color::White) ? Color::Black : Color::White;
  }

  std::vector<OpeningScore> openings_;
  SetColumns<5> columns_{{Column::Eco, Column::Result, Column::Date, Column::WhiteRating,
                          Column::BlackRating}};
  SetColumns<2> players_{{Column::White, Column::Black}};
};

}  // namespace

absl::StatusOr<std::vector<OpeningScore>> opening_scores(const Database& database,
                                                         const SetWalk& walk,
                                                         const std::optional<Subject>& subject,
                                                         const Effort& effort) {
  std::vector<Tally> tallies(workers_for(effort, walk.stretches()));
  absl::Status status = walk.visit_all(
      tallies.size(), effort,
      [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
        tallies[worker].add(database.index(), subject, block, games);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  for (std::size_t i = 1; i < tallies.size(); ++i) tallies[0] += tallies[i];
  return std::move(tallies[0]).sorted();
}

}  // namespace scidfs::fs
