// How tables name games. Those of several databases, which a folder shows as one, name the database
// too: a game's number is that in its own database.
#pragma once

#include <string>

#include "fs/database/game_set.h"

namespace scidfs::fs {

// Return what distinguishes a game from all others: "12345", or of several databases
// "a/twic.si4~12345"; and the text before the number.
std::string game_id(const DatabaseGames& part, GameIndex game);
std::string game_id_prefix(const DatabaseGames& part);

// Return where the games of a part are, from the directory that has the tables: "games", or of
// several databases "../a/twic.si4/games"; and the shortest name of a game there,
// "games/12345.pgn".
std::string games_directory(const DatabaseGames& part);
std::string game_path(const DatabaseGames& part, GameIndex game);

// Returns whether tables name the database of each game.
bool are_of_several(const GameSet& parts);
// Append the column `database` to a table's header line and to a line of a part, which `out` ends
// with: the last column of each table that has numbers of games. For one database they append
// nothing.
void add_database_column(const GameSet& parts, std::string& out);
void add_database(const DatabaseGames& part, std::string& out);
// Returns what add_database() adds before the end of the line.
std::string database_field(const DatabaseGames& part);

}  // namespace scidfs::fs
