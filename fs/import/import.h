// scidfs-import: makes a new Scid database of other databases.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "codec/text.h"
#include "fs/base/progress.h"
#include "fs/file/file_maker.h"

namespace scidfs::fs {

struct ImportOptions {
  // Index files of Scid databases (.si3, .si4, .si5), with their other files beside them; PGN files
  // (is_pgn_name()); zip files (.zip), of which all PGN files are read; `-`: PGN from standard
  // input, which may be compressed, too.
  std::vector<std::filesystem::path> sources;
  std::filesystem::path database;  // the new index: .si5 or .si4
  // The games are to follow those of the database that is there. A new version takes its place.
  bool is_append = false;
  unsigned threads = 0;  // that parse PGN; 0: one for each processor
  // Of PGN that is no UTF-8, and of names in zip files.
  codec::CodePage page = codec::CodePage::Windows1252;
  codec::CodePage names = codec::CodePage::Windows1252;
  const FileMaker* maker = &FileMaker::usual();  // of the new files
  // Of a compressed file that was cut, what is whole is taken.
  bool takes_partial = false;
};

struct ImportReport {
  std::uint64_t games = 0;  // of the sources
};

// Receives what is worth to know about the import, a line each: what was wrong where, and what the
// new database could not store.
using ImportRemark = absl::FunctionRef<void(std::string_view)>;

// Writes the games of all sources, one after the other, to a new database. It appears when it is
// complete and on the disk; on any error nothing of it is there, or the old version. All that the
// index and the records of a database have is kept, deleted games, too; names that no game has are
// left out. Properties of the new database are those of the first source. `progress` counts bytes;
// its total is 0 while that is unknown. One thread at a time calls `progress` and `remark`. Errors:
// a source is of no such kind, cannot be read, or another program is writing to it; one of the
// three files is there already, or is not as it was written (signature.h) for an append; a file
// cannot be written; the format has no room for so many games. What an import left that was killed
// while it put its files in place is no database: it is replaced.
absl::StatusOr<ImportReport> import_games(const ImportOptions& options, Progress progress,
                                          ImportRemark remark);

}  // namespace scidfs::fs
