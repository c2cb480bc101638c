#include "fs/sets/paths.h"

#include <fmt/format.h>

#include <string_view>

#include "codec/eco.h"
#include "fs/database/filename.h"

namespace scidfs::fs {

void append_player_path(const Database& database, std::uint32_t player, std::string& out) {
  if (!database.lists().is_shown_player(player)) return;
  constexpr std::string_view kFolder = "players/";
  constexpr std::size_t kShardEnd = kFolder.size() + 2;
  const std::size_t begin = out.size();
  out += "players/../";
  const std::size_t name = out.size();
  database.lists().player_set().append_listed_name(player, out);
  const std::string shard = shard_of(std::string_view(out).substr(name));
  out.replace(begin + kFolder.size(), kShardEnd - kFolder.size(), shard);
}

std::string opening_path(const Database& database, Part part, unsigned eco_base) {
  // Shown games are in the lists; to look there would make them.
  if (part != Part::Shown && database.lists().eco_games().games(eco_base).empty()) return {};
  if (eco_base >= codec::kEcoBases) return fmt::format("eco/{}", kUnknownName);
  const std::string code = codec::eco_base_to_string(eco_base);
  return fmt::format("eco/{}/{}", code.front(), code);
}

std::string_view opening_name(const Database& database, unsigned eco_base) {
  const OpeningNames* const names = database.reference().openings.get();
  return names == nullptr ? std::string_view() : names->name_of_base(eco_base);
}

std::string game_path(Part part, GameIndex game) {
  return fmt::format("{}/{}{}", directory_of(part), game + 1, kGameSuffix);
}

}  // namespace scidfs::fs
