#include "fs/positions/eval_table.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <span>

#include "codec/scid/game_plies.h"
#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

absl::Status append_rows(const DatabaseGames& set, const WorkBudget& budget,
                         codec::TextBuffer& out) {
  const Database& database = *set.database();
  RETURN_IF_ERROR(begin_decoding(database, set.list(), budget));
  const std::string last = database_field(set);
  codec::scid::GamePlies plies(database.files().format().castling);
  GameRecords records(database, GameFile::Check::Now, budget);
  ASSIGN_OR_RETURN(const GameScan scan, GameScan::over(set.list(), kMemoryEntriesOfGame, budget));
  // One thread: the rows come in order.
  return scan.visit_all(1, budget, [&](std::size_t, std::size_t, std::span<const GameIndex> games) {
    return records.for_each(games, [&](std::size_t i, codec::Bytes record) {
      plies.append_rows(games[i] + 1, record, codec::scid::PlyColumns::Notes, last, out);
    });
  });
}

}  // namespace

absl::StatusOr<std::string> eval_table(const GameSet& parts, const WorkBudget& budget) {
  if (parts.count(kMostGamesOfEvals + 1) > kMostGamesOfEvals) {
    return absl::UnimplementedError(
        fmt::format("more than {} games: too many to show their evaluations", kMostGamesOfEvals));
  }
  std::string text = "number\tply\tmove\teval\tclock\n";
  add_database_column(parts, text);
  codec::TextBuffer rows;
  for (const DatabaseGames& part : parts) {
    RETURN_IF_ERROR(append_rows(part, budget, rows));
  }
  return text.append(rows.view());
}

}  // namespace scidfs::fs
