#include "codec/eco.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/scan/row_tally.h"
#include "fs/tables/opening_scores.h"
#include "fs/tables/paths.h"
#include "fs/tables/set_tables.h"

namespace scidfs::fs {

namespace {

using Column = PackedIndex::Column;

absl::StatusOr<OpeningTally> count_openings(const DatabaseGames& set, const WorkBudget& budget) {
  return tally_rows<OpeningTally>(
      set, {Column::Eco, Column::Result, Column::Date, Column::WhiteRating, Column::BlackRating},
      budget, [](OpeningTally& tally, const ColumnBatch& rows) { tally.add(rows, nullptr); });
}

// Returns the path of a code; empty if no part lists its games.
std::string path_of(const GameSet& parts, unsigned eco_base) {
  std::string path;
  for (const DatabaseGames& part : parts) {
    if (!path.empty()) break;
    path = opening_path(*part.database(), part.part(), eco_base);
  }
  return path;
}

struct OpeningRow {
  const GameSet& parts;
  const OpeningScore& opening;
  const Score& score;
};

constexpr TsvColumns kOpeningColumns{
    TsvColumn{
        "eco",
        [](const OpeningRow& row) { return codec::eco_base_to_string(row.opening.eco_base); }},
    TsvColumn{"name",
              [](const OpeningRow& row) {
                return opening_name(row.parts.reference(), row.opening.eco_base);
              }},
    TsvColumn{"games", [](const OpeningRow& row) { return row.score.all(); }},
    TsvColumn{"white_wins", [](const OpeningRow& row) { return row.score[Outcome::Win]; }},
    TsvColumn{"draws", [](const OpeningRow& row) { return row.score[Outcome::Draw]; }},
    TsvColumn{"black_wins", [](const OpeningRow& row) { return row.score[Outcome::Loss]; }},
    TsvColumn{"score", [](const OpeningRow& row) { return percent_of(row.score); }},
    TsvColumn{"average_year",
              [](const OpeningRow& row) { return known(row.opening.year.value()); }},
    TsvColumn{"average_elo", [](const OpeningRow& row) { return known(row.opening.elo.value()); }},
    TsvColumn{"path",
              [](const OpeningRow& row) { return path_of(row.parts, row.opening.eco_base); }},
};

}  // namespace

absl::StatusOr<std::string> opening_table(const GameSet& parts, const WorkBudget& budget) {
  OpeningTally all;
  for (const DatabaseGames& part : parts) {
    ASSIGN_OR_RETURN(const OpeningTally tally, count_openings(part, budget));
    all += tally;
  }
  std::string text = kOpeningColumns.header();
  for (const OpeningScore& opening : std::move(all).sorted()) {
    kOpeningColumns.append_row(
        OpeningRow{.parts = parts, .opening = opening, .score = opening.score[codec::Color::White]},
        text);
  }
  return text;
}

}  // namespace scidfs::fs
