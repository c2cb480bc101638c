// Paths that tables show, relative to the directory of the database.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fs/database/database.h"

namespace scidfs::fs {

// Appends "players/ca/Carlsen,M"; nothing for a player without a shown game.
void append_player_path(const Database& database, std::uint32_t player, std::string& out);

// Appends "people/ka/Kasparov,_Garry"; nothing for a person without a shown game.
void append_person_path(const People& people, std::uint32_t person, std::string& out);

// Returns "eco/B/B90" or "eco/_unknown", by codec::eco_base(). If the part is not the shown one,
// returns nothing for a code without a game of the part.
std::string opening_path(const Database& database, Part part, unsigned eco_base);

// Returns the name of a code without extension (OpeningNames::name_of_base()); empty if unknown.
std::string_view opening_name(const Reference& reference, unsigned eco_base);

// Returns "games/12345.pgn": the shortest of a game's names.
std::string game_path(Part part, GameIndex game);

}  // namespace scidfs::fs
