#include "fs/positions/code_table.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "codec/eco.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/positions/game_openings.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using codec::EcoCode;

bool agree(EcoCode stored, EcoCode found) {
  if (stored == found) return true;
  const std::string one = codec::eco_to_string(stored);
  const std::string other = codec::eco_to_string(found);
  return !one.empty() && !other.empty() && (one.starts_with(other) || other.starts_with(one));
}

struct Row {
  EcoCode stored = 0;
  EcoCode found = 0;
  std::uint32_t games = 0;
};

// The numbers of games, by both codes.
constexpr unsigned kStoredShift = 16;
using Counts = absl::flat_hash_map<std::uint32_t, std::uint32_t>;

absl::Status count_part(const DatabaseGames& set, const WorkBudget& budget, Counts& counts) {
  const Database& database = *set.database();
  const OpeningNames& names = *database.reference().openings;
  ASSIGN_OR_RETURN(const GameOpenings* const openings, openings_of(database, budget));
  ASSIGN_OR_RETURN(const GameScan walk, GameScan::over(set.list(), kMemoryEntriesOfGame, budget));

  ColumnBatch rows{PackedIndex::Column::Eco};
  return walk.visit_all(1, budget,
                        [&](std::size_t, std::size_t block, std::span<const GameIndex> games) {
                          rows.read(database.index(), block, games);
                          for (std::size_t row = 0; row < games.size(); ++row) {
                            const EcoCode found = names.code(openings->games[games[row]]);
                            if (found != rows.eco(row))
                              ++counts[std::uint32_t{rows.eco(row)} << kStoredShift | found];
                          }
                          return absl::OkStatus();
                        });
}

}  // namespace

absl::StatusOr<std::string> code_table(const GameSet& parts, const WorkBudget& budget) {
  Counts counts;
  for (const DatabaseGames& part : parts) {
    RETURN_IF_ERROR(count_part(part, budget, counts));
  }
  std::vector<Row> differing;
  for (const auto& [codes, games] : counts) {
    const Row row = {.stored = static_cast<EcoCode>(codes >> kStoredShift),
                     .found = static_cast<EcoCode>(codes),
                     .games = games};
    if (!agree(row.stored, row.found)) differing.push_back(row);
  }
  std::ranges::sort(differing, [](const Row& a, const Row& b) {
    return std::tuple(b.games, a.stored, a.found) < std::tuple(a.games, b.stored, b.found);
  });
  const OpeningNames& names = *parts.reference().openings;
  const TsvColumns columns{
      TsvColumn{"stored", [](const Row& row) { return codec::eco_to_string(row.stored); }},
      TsvColumn{"by_position", [](const Row& row) { return codec::eco_to_string(row.found); }},
      TsvColumn{"games", [](const Row& row) { return row.games; }},
      TsvColumn{"opening", [&names](const Row& row) { return names.name_of(row.found); }},
  };
  std::string text = columns.header();
  for (const Row& row : differing) columns.append_row(row, text);
  return text;
}

}  // namespace scidfs::fs
