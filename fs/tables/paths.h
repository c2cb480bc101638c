// Where things of a database lie below its directory, as tables say it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fs/database/database.h"

namespace scidfs::fs {

// Appends "players/ca/Carlsen,M"; nothing for a player who has no shown game.
void append_player_path(const Database& database, std::uint32_t player, std::string& out);

// Appends "people/ka/Kasparov,_Garry"; nothing for a person who has no shown game.
void append_person_path(const People& people, std::uint32_t person, std::string& out);

// "eco/B/B90" or "eco/_unknown", by codec::eco_base(); empty for a code without a game of the part,
// if it is not the shown one.
std::string opening_path(const Database& database, Part part, unsigned eco_base);

// What a code without extension is called (OpeningNames::name_of_base()); empty if nobody knows.
std::string_view opening_name(const Database& database, unsigned eco_base);

// "games/12345.pgn": the shortest of a game's names.
std::string game_path(Part part, GameIndex game);

}  // namespace scidfs::fs
