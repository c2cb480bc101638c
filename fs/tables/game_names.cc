#include "fs/tables/game_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "fs/base/filename.h"
#include "fs/database/loaded_index.h"

namespace scidfs::fs {
namespace {

// Adds to the end of a line.
void add_field(std::string_view field, std::string& out) { out.insert(out.size() - 1, field); }

}  // namespace

std::string game_id_prefix(const DatabaseGames& part) {
  return part.database_path().empty() ? std::string() : fmt::format("{}~", part.database_path());
}

std::string game_id(const DatabaseGames& part, GameIndex game) {
  return fmt::format("{}{}", game_id_prefix(part), game + 1);
}

std::string games_directory(const DatabaseGames& part) {
  const std::string_view games = directory_of(part.part());
  return part.database_path().empty() ? std::string(games)
                                      : fmt::format("../{}/{}", part.database_path(), games);
}

std::string game_path(const DatabaseGames& part, GameIndex game) {
  return fmt::format("{}/{}{}", games_directory(part), game + 1, kGameSuffix);
}

bool are_of_several(const GameSet& parts) {
  return std::ranges::any_of(
      parts, [](const DatabaseGames& part) { return !part.database_path().empty(); });
}

void add_database_column(const GameSet& parts, std::string& out) {
  if (are_of_several(parts)) add_field("\tdatabase", out);
}

void add_database(const DatabaseGames& part, std::string& out) {
  add_field(database_field(part), out);
}

std::string database_field(const DatabaseGames& part) {
  return part.database_path().empty() ? std::string() : fmt::format("\t{}", part.database_path());
}

}  // namespace scidfs::fs
