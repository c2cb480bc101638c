// Reads the games of a PGN file into a new database.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>

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
absl::StatusOr<bool> begins_with(const SourceFile& file, const PgnFront& earlier);
// Returns whether it does, and the last game of the earlier state is known. Errors: those of
// reading.
absl::StatusOr<bool> continues(const SourceFile& file, const RecordsText& earlier);

struct ReadOptions {
  codec::CodePage page = codec::CodePage::Windows1252;  // of texts that are no UTF-8
  std::uint64_t room = 0;                               // how many bytes the records may take
  // Whether another program may add to the end of the file meanwhile. The file is read twice more
  // then, to see that nothing else happens to it.
  bool may_grow = false;
};

// Adds all games of a file to an empty database, as long as its files take no more room than they
// may, or what a few MiB of text need above that, however little the text is packed to; those of
// `earlier` (null: none) are copied up to the last one. `file` gives up its content. Returns the
// text for the database. Errors: OutOfRange if there is no room; FailedPrecondition if another
// program writes to the file; Unavailable if one changes `earlier`; those of PgnSource::import().
absl::StatusOr<RecordsText> read_games(SourceFile file, const EarlierGames* earlier,
                                       const ReadOptions& how, const WorkBudget& budget,
                                       Progress progress, NewDatabase& records);

// Return the errors of a file that is not what it was, and of one for whose records there is no
// room.
absl::Status has_changed(const std::filesystem::path& file);
absl::Status no_room_for_records(std::uint64_t room);

}  // namespace scidfs::fs
