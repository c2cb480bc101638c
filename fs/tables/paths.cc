#include "fs/tables/paths.h"

#include <fmt/format.h>

#include <string_view>

#include "codec/eco.h"
#include "fs/base/filename.h"

namespace scidfs::fs {

namespace {

// Appends "players/ca/Carlsen,M".
void append_sharded_path(std::string_view folder, const NamedSet& set, std::uint32_t id,
                         std::string& out) {
  constexpr std::string_view kShard = "../";
  out += folder;
  const std::size_t shard = out.size();
  out += kShard;
  const std::size_t name = out.size();
  set.append_listed_name(id, out);
  const std::string known = shard_of(std::string_view(out).substr(name));
  out.replace(shard, known.size(), known);
}

}  // namespace

void append_player_path(const Database& database, std::uint32_t player, std::string& out) {
  if (!database.loaded().is_shown_player(player)) return;
  append_sharded_path("players/", database.lists().player_set(), player, out);
}

void append_person_path(const People& people, std::uint32_t person, std::string& out) {
  if (people.games(person).empty()) return;
  append_sharded_path("people/", people.set(), person, out);
}

std::string opening_path(const Database& database, Part part, unsigned eco_base) {
  // The lists certainly have the codes of shown games; a lookup would only make the lists.
  if (part != Part::Shown && database.lists().eco_games().games(eco_base).empty()) return {};
  if (eco_base >= codec::kEcoBases) return fmt::format("eco/{}", kUnknownName);
  const std::string code = codec::eco_base_to_string(eco_base);
  return fmt::format("eco/{}/{}", code.front(), code);
}

std::string_view opening_name(const Reference& reference, unsigned eco_base) {
  const OpeningNames* const names = reference.openings.get();
  return names == nullptr ? std::string_view() : names->name_of_base(eco_base);
}

std::string game_path(Part part, GameIndex game) {
  return fmt::format("{}/{}{}", directory_of(part), game + 1, kGameSuffix);
}

}  // namespace scidfs::fs
