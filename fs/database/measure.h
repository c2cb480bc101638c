// Finds out how long the texts of games are.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>

#include "codec/text_buffer.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {

// Makes the sizes of all games of a list known. Those that are not are decoded: few enough on the
// calling thread, and with a whole effort on all processors. While that is going on, anywhere in
// the process, measure_range() waits. Errors: Unavailable, before any work, if there are more than
// the effort allows; Unimplemented (begin_decoding()), known or not; Cancelled; those of
// GameFile::read(), at the first game that cannot be read.
absl::Status measure(const Database& database, GameList list, const WorkBudget& budget);

// Makes the sizes of the games first .. last-1 known as far as they can be read, until `stop`,
// which is asked before each game. Returns the first failure. For long work that nobody waits for.
absl::Status measure_range(const Database& database, GameIndex first, GameIndex last,
                           absl::FunctionRef<bool()> stop);

// Finds out the size of one game's text, known or not, and whether its marks in the index are
// sound, and puts that on record. DataLoss if it differs from what is on record; errors of
// GameFile::read().
absl::StatusOr<std::uint32_t> measure_game(const Database& database, GameIndex game,
                                           GameReader& reader);

// Appends the text of a game and holds it against the size on record, or puts that there. DataLoss
// if they differ: never a byte more or less than stat(2) said. Errors of GameFile::read().
absl::Status append_text(const Database& database, GameIndex game, GameReader& reader,
                         codec::TextBuffer& out);

}  // namespace scidfs::fs
