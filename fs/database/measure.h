// Measures the texts of games.
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

// Records the sizes of all games of a list. Decodes the games of unknown size: a few on the calling
// thread, and with an unlimited budget on all processors. While it runs, anywhere in the process,
// measure_range() waits. Errors: Unavailable, before any work, if there are more than the budget
// allows; Unimplemented (begin_decoding()), known or not; Cancelled; those of GameFile::read(), at
// the first game that cannot be read.
absl::Status measure(const Database& database, GameList list, const WorkBudget& budget);

// Records the sizes of the games first .. last-1 as far as they can be read, until `stop`, which is
// called before each game. Returns the first failure. For long background work.
absl::Status measure_range(const Database& database, GameIndex first, GameIndex last,
                           absl::FunctionRef<bool()> stop);

// Measures one game's text, even if its size is known, checks its index signature, and records
// both. Returns DataLoss if the size differs from the recorded one; errors of GameFile::read().
absl::StatusOr<std::uint32_t> measure_game(const Database& database, GameIndex game,
                                           GameReader& reader);

// Appends the text of a game and compares its size with the recorded one, or records it. Returns
// DataLoss if they differ: never a byte more or less than stat(2) said. Errors of GameFile::read().
absl::Status append_text(const Database& database, GameIndex game, GameReader& reader,
                         codec::TextBuffer& out);

}  // namespace scidfs::fs
