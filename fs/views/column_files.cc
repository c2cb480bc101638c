#include "fs/views/column_files.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fs/base/status_macros.h"
#include "fs/columns/game_table.h"
#include "fs/columns/numpy_header.h"
#include "fs/columns/parquet_file.h"
#include "fs/columns/ply_tables.h"
#include "fs/database/measure.h"
#include "fs/search/query.h"

namespace scidfs::fs {
namespace {

using Json = nlohmann::ordered_json;

absl::StatusOr<std::shared_ptr<const SetPlies>> plies_of(const Set& set, const GameSet& games,
                                                         const WorkBudget& budget) {
  return set.version().searches->results.get<SetPlies>(
      fmt::format("plies:{}:{}", set.version().id, set.answer_key()), budget,
      [&] { return count_plies(games, budget); });
}

// Names are clean text, of any encoding.
std::string text_of(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json databases_json(const Set& set, const GameSet& games) {
  Json databases = Json::array();
  for (std::size_t part = 0; part < games.size(); ++part) {
    const Database& database = *games[part].database();
    databases.push_back({{"name", set.version().path_of(part)}, {"games", database.games()}});
  }
  return databases;
}

Json array_json(ArrayFile file, const SetPlies& plies) {
  const ArrayLayout& layout = array_layout(file);
  const std::vector<std::uint64_t> shape = array_shape(file, plies.plies.size(), plies.all_plies());
  return {{"dtype", std::string(layout.type)},
          {"shape", shape},
          {"bytes", numpy_header(layout.type, shape).size() + shape.front() * layout.row_bytes()}};
}

ParquetMetadata metadata_of(const Set& set, const GameSet& games) {
  return {{"scidfs.set", set.title()},
          {"scidfs.query", set.asked()->path},
          {"scidfs.databases", text_of(databases_json(set, games))}};
}

absl::StatusOr<std::unique_ptr<Content>> open_table(const Set& set, const GameSet& games,
                                                    SetEntry entry,
                                                    std::shared_ptr<const ParquetTable> table,
                                                    const WorkBudget& budget) {
  const std::string key =
      fmt::format("{}:{}:{}", set.version().id, static_cast<unsigned>(entry), set.answer_key());
  const std::shared_ptr<QueryContext> searches = set.version().searches;
  ASSIGN_OR_RETURN(std::shared_ptr<const ParquetLayout> layout,
                   searches->results.get<ParquetLayout>(key, budget, [&] {
                     return measure_parquet(*table, metadata_of(set, games), budget);
                   }));
  return open_parquet(std::move(table), std::move(layout),
                      [key, searches](std::size_t number, const WorkBudget& chunk_budget,
                                      absl::FunctionRef<absl::StatusOr<MadeChunksPtr>()> make) {
                        return searches->results.get<MadeChunks>(fmt::format("{}:{}", key, number),
                                                                 chunk_budget, make);
                      });
}

absl::StatusOr<std::unique_ptr<Content>> open_ply_parquet(const Set& set, SetEntry entry,
                                                          PlyTableKind kind,
                                                          const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  for (const DatabaseGames& part : games) {
    RETURN_IF_ERROR(measure(*part.database(), part.list(), budget));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const SetPlies> plies, plies_of(set, games, budget));
  ASSIGN_OR_RETURN(std::shared_ptr<const ParquetTable> table,
                   ply_table(games, kind, std::move(plies), budget));
  return open_table(set, games, entry, std::move(table), budget);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_games_parquet(const Set& set,
                                                            const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(std::shared_ptr<const ParquetTable> table, game_table(games, budget));
  return open_table(set, games, kSetGamesParquet, std::move(table), budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_plies_parquet(const Set& set,
                                                            const WorkBudget& budget) {
  return open_ply_parquet(set, kSetPliesParquet, PlyTableKind::Plies, budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_positions_parquet(const Set& set,
                                                                const WorkBudget& budget) {
  return open_ply_parquet(set, kSetPositionsParquet, PlyTableKind::Positions, budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_array_of(const Set& set, ArrayFile file,
                                                       const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  std::shared_ptr<const SetPlies> plies;
  if (needs_plies(file)) {
    ASSIGN_OR_RETURN(plies, plies_of(set, games, budget));
  }
  return open_array(games, file, std::move(plies), budget);
}

bool has_databases(const Set& set) { return set.version().is_together(); }

absl::StatusOr<std::unique_ptr<Content>> open_manifest(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(const std::shared_ptr<const SetPlies> plies, plies_of(set, games, budget));
  Json files = Json::object();
  for (std::size_t number = 0; number < kArrayFiles; ++number) {
    const auto file = static_cast<ArrayFile>(number);
    if (file == ArrayFile::Databases && !has_databases(set)) continue;
    files[std::string(array_layout(file).name)] = array_json(file, *plies);
  }
  const Json manifest = {{"scidfs", SCIDFS_VERSION},
                         {"set", set.title()},
                         {"query", set.asked()->path},
                         {"databases", databases_json(set, games)},
                         {"games", plies->plies.size()},
                         {"plies", plies->all_plies()},
                         {"positions", plies->all_positions()},
                         {"records", fmt::format("{:016x}", plies->records)},
                         {"files", files}};
  return std::make_unique<TextContent>(text_of(manifest, 2) + "\n");
}

}  // namespace scidfs::fs
