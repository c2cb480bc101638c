// The game that stands for a database in examples.
#pragma once

#include "codec/scid/names.h"
#include "fs/database/game_list.h"
#include "fs/database/loaded_index.h"

namespace scidfs::fs {

// Returns, of a thousand games all over the database, the one with the highest rated players whose
// names are known, since users know these players too. kNoGame if none of them is shown.
GameIndex find_example_game(const LoadedIndex& index, const codec::scid::Names& names);

}  // namespace scidfs::fs
