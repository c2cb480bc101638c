// Paths that tables show, relative to the directory of the database.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fs/database/common_events.h"
#include "fs/database/common_players.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Appends "players/ca/Carlsen,M"; nothing for a player without a shown game.
void append_player_path(const Database& database, std::uint32_t player, std::string& out);
void append_player_path(const CommonPlayers& players, std::uint32_t player, std::string& out);

// Appends "people/ka/Kasparov,_Garry"; nothing for a person without a shown game.
void append_person_path(const People& people, std::uint32_t person, std::string& out);
void append_person_path(const CommonPeople& people, std::uint32_t person, std::string& out);

// Appends "events/2013/World_Championship--Chennai_IND"; nothing for an event without a shown game.
void append_event_path(const Database& database, const codec::scid::GameEntry& entry,
                       std::string& out);
// Appends the path of an event of several databases, by its common id and its year.
void append_event_path(const CommonEvents& events, std::uint32_t event, std::uint16_t year,
                       std::string& out);

// Returns "eco/B/B90" or "eco/_unknown", by codec::eco_base(). If the part is not the shown one,
// returns nothing for a code without a game of the part.
std::string opening_path(const Database& database, Part part, unsigned eco_base);

// Returns the name of a code without extension (OpeningNames::name_of_base()); empty if unknown.
std::string_view opening_name(const Reference& reference, unsigned eco_base);

// Returns "games/12345.pgn": the shortest of a game's names.
std::string game_path(Part part, GameIndex game);

// Return the directory of a game, "games/00012"; the name of its file there,
// "00012345-Carlsen,M-Anand,V-2013.11.09-draw.pgn"; and the path of its page,
// "games/00012/12345.html".
std::string game_directory(Part part, GameIndex game);
std::string game_file_name(const Database& database, GameIndex game, std::string_view suffix);
std::string game_page_path(Part part, GameIndex game);

}  // namespace scidfs::fs
