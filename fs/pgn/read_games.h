// Reads the games of a PGN file into a new database.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>

#include "codec/text.h"
#include "fs/base/progress.h"
#include "fs/content/work_budget.h"
#include "fs/file/source_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"
#include "fs/pgn/record_files.h"

namespace scidfs::fs {

// The database of an earlier state of a file, which a later one may continue.
struct EarlierGames {
  CopySource games;
  RecordsText text;
};

// Returns whether a file begins with the bytes of an earlier state, as far as that can be known.
// Errors: those of reading.
absl::StatusOr<bool> begins_with(const SourceFile& file, const RecordsText& earlier);
// Returns whether it does, and the last game of the earlier state is known. Errors: those of
// reading.
absl::StatusOr<bool> continues(const SourceFile& file, const RecordsText& earlier);

// Adds all games of a file to an empty database, as long as its files take at most `room` bytes,
// or what a few MiB of text need above that, however little the text is packed to; those of
// `earlier` (null: none) are copied up to the last one. `file` gives up its content. Returns the
// text for the database. Errors: OutOfRange if there is no room; FailedPrecondition if another
// program writes to the file; those of PgnSource::import().
absl::StatusOr<RecordsText> read_games(SourceFile file, codec::CodePage page,
                                       const EarlierGames* earlier, std::uint64_t room,
                                       const WorkBudget& budget, Progress progress,
                                       NewDatabase& records);

// Returns the error of a file for whose records there is no room.
absl::Status no_room_for_records(std::uint64_t room);

}  // namespace scidfs::fs
