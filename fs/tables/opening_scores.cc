#include "fs/tables/opening_scores.h"

#include <algorithm>
#include <utility>

#include "codec/eco.h"

namespace scidfs::fs {
namespace {

using codec::Color;

}  // namespace

OpeningTally::OpeningTally() : openings_(codec::kEcoBases + 1) {}

void OpeningTally::add(const ColumnBatch& rows, const Subject* subject) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    OpeningScore& opening = openings_[codec::eco_base(rows.eco(row))];
    const auto is_subject = [&](Color side) {
      return subject != nullptr && subject->is(rows, row, side);
    };
    const bool is_black = is_subject(Color::Black);
    opening.score.add(rows.result(row), !is_black || is_subject(Color::White), is_black);
    opening.year.add(rows.year(row));
    opening.elo.add(rows.elo(row, Color::White));
    opening.elo.add(rows.elo(row, Color::Black));
  }
}

OpeningTally& OpeningTally::operator+=(const OpeningTally& other) {
  for (std::size_t base = 0; base < openings_.size(); ++base) {
    openings_[base].score += other.openings_[base].score;
    openings_[base].year += other.openings_[base].year;
    openings_[base].elo += other.openings_[base].elo;
  }
  return *this;
}

std::vector<OpeningScore> OpeningTally::sorted() && {
  for (unsigned base = 0; base < openings_.size(); ++base) openings_[base].eco_base = base;
  std::erase_if(openings_, [](const OpeningScore& opening) { return opening.score.games() == 0; });
  // A missing code is an empty text, which comes before any other.
  const auto place = [](const OpeningScore& opening) {
    return (opening.eco_base + 1) % (codec::kEcoBases + 1);
  };
  std::ranges::sort(openings_, {}, [&](const OpeningScore& opening) {
    return std::pair(~opening.score.games(), place(opening));
  });
  return std::move(openings_);
}

}  // namespace scidfs::fs
