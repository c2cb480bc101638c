#include "fs/tables/paths.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "codec/eco.h"
#include "fs/base/filename.h"
#include "fs/database/group_names.h"

namespace scidfs::fs {

namespace {

// Appends "players/ca/Carlsen,M".
template <class Directories>
void append_sharded_path(std::string_view folder, const Directories& set, std::uint32_t id,
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

// Appends "events/2013/World_Championship--Chennai_IND".
template <class Directories>
void append_year_path(std::string_view folder, const Directories& set, std::uint32_t id,
                      std::uint16_t year, std::string& out) {
  out += folder;
  out += year_name(year);
  out += '/';
  set.append_listed_name(id, out);
}

}  // namespace

void append_player_path(const Database& database, std::uint32_t player, std::string& out) {
  if (!database.loaded().is_shown_player(player)) return;
  append_sharded_path("players/", database.lists().player_set(), player, out);
}

void append_player_path(const CommonPlayers& players, std::uint32_t player, std::string& out) {
  if (players.parts() == 1) {
    append_player_path(*players.databases().front(), player, out);
  } else if (players.is_shown(player)) {
    append_sharded_path("players/", players.set(), player, out);
  }
}

void append_person_path(const People& people, std::uint32_t person, std::string& out) {
  if (people.games(person).empty()) return;
  append_sharded_path("people/", people.set(), person, out);
}

void append_person_path(const CommonPeople& people, std::uint32_t person, std::string& out) {
  if (people.parts() == 1) {
    append_person_path(people.part(0), person, out);
  } else if (people.is_shown(person)) {
    append_sharded_path("people/", people.set(), person, out);
  }
}

void append_event_path(const Database& database, const codec::scid::GameEntry& entry,
                       std::string& out) {
  const std::optional<std::uint32_t> event = database.lists().event_of(entry);
  if (!event.has_value()) return;
  append_year_path("events/", database.lists().event_set(), *event,
                   database.lists().events()[*event].year, out);
}

void append_event_path(const CommonEvents& events, std::uint32_t event, std::uint16_t year,
                       std::string& out) {
  append_year_path("events/", events.set(), event, year, out);
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

std::string game_directory(Part part, GameIndex game) {
  return fmt::format("{}/{}", directory_of(part), games_directory_name(game + 1));
}

std::string game_file_name(const Database& database, GameIndex game, std::string_view suffix) {
  const codec::scid::GameEntry entry = database.entry(game);
  const codec::scid::NameTable& players = database.names()[codec::scid::NameKind::Player];
  return game_file_name(game + 1, players.text(entry.white), players.text(entry.black), entry.date,
                        entry.result, suffix);
}

std::string game_page_path(Part part, GameIndex game) {
  return fmt::format("{}/{}.html", game_directory(part, game), game + 1);
}

}  // namespace scidfs::fs
