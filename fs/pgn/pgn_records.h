// The games of PGN files as records of Scid 5, which the cache folder keeps from the first reading
// of a file on.
//
// Of each file the folder has a database and a text, and their names are PATH-STATE with an ending:
// two fingerprints in hexadecimal digits, one of the path, the code page and the version of the
// reader, one of the stamp of the file.
//
//  .si5 .sn5 .sg5  the database
//  .remarks        a line: "scidfs4", the lengths of the other three files, a checksum of the names
//                  of these files and of the text that follows it, one of the database, where the
//                  last game begins (byte, line, games before it), the bytes of the file and their
//                  checksum; then a line for each remark
//
// The text is written last: without it, or if a length differs, the other files do not count. A
// process that adds or removes some of them has locked the folder; one that reads them has not, and
// trusts what the checksums say.
//
// All checksums are XXH3. They are compared each time before anything of the records is shown or
// copied, for which all their bytes are read: index and names, which are read anyway, and the
// games, about 90 bytes each: 0.04 s for a million on two busy cores. If one differs, a warning is
// logged, the file is read again, and the new records replace the others. Damage that comes later,
// during a mount, is found as in any database: see GameFile and IndexFile.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "fs/base/progress.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/file/folder.h"
#include "fs/file/source_file.h"
#include "fs/pgn/lazy_database.h"
#include "fs/pgn/pgn_file.h"
#include "fs/pgn/read_games.h"
#include "fs/pgn/record_files.h"

namespace scidfs::fs {

// The records of all PGN files in a cache folder. Immutable; any number of threads and processes
// may use one folder.
class PgnRecordStore {
 public:
  // `options`: how to show the databases. Their code page is that of texts of PGN files, too.
  // Without a cache folder, every file is refused. `most_bytes` is how much all records may take;
  // 0: 2 GiB, or a tenth of the free space if that is less.
  explicit PgnRecordStore(DatabaseOptions options, std::uint64_t most_bytes = 0);

  // Returns the records of a file if it has been read before. They are only used if no other user
  // can have written them, and they are as they were made.
  std::optional<ReadDatabase> find(const PgnFile& file) const;

  // Returns the records of a file as find() does, or else reads it on the threads of the budget and
  // keeps its records. Those of an earlier state of
  // the file are removed; if that is the beginning of this one, only what follows is read. If there
  // is no room, those that were made first are removed. `progress` counts bytes of the file.
  // Errors: OutOfRange if there is no room for the records, with the reason; FailedPrecondition if
  // the file has changed since its stamp was taken; Cancelled; those of reading and
  // writing. Nothing half is left.
  absl::StatusOr<ReadDatabase> make(const PgnFile& file, const WorkBudget& budget,
                                    Progress progress) const;

 private:
  // A database, and its checksum as it is now.
  struct Summed {
    std::shared_ptr<Database> database;
    std::uint64_t checksum = 0;
  };

  RecordFiles files_of(const PgnFile& file) const;
  // Returns the records of a file. Errors: NotFound if there are none; DataLoss if they are not as
  // they were made, or cannot be read; ResourceExhausted and Cancelled, which say nothing about
  // them.
  absl::StatusOr<ReadDatabase> load(const PgnFile& file) const;
  // Does the same, and removes records that do not count: on NotFound there are no files.
  // REQUIRES: the folder is locked.
  absl::StatusOr<ReadDatabase> load_or_remove(const PgnFile& file) const;
  // Opens the database of a file. Errors: those of Database::open() and DatabaseFiles::checksum().
  absl::StatusOr<Summed> open(const PgnFile& file, const RecordsText& text) const;
  // Waits until no other process changes records. Errors: Cancelled; OutOfRange if the folder
  // cannot be opened.
  absl::StatusOr<FolderLock> lock_folder(const WorkBudget& budget) const;
  // Puts new records into their place, unless another process has made them meanwhile, and opens
  // them.
  absl::StatusOr<ReadDatabase> place(const PgnFile& file, NewDatabase& records, RecordsText text,
                                     const std::vector<RecordFiles>& kept, std::uint64_t room,
                                     const WorkBudget& budget) const;
  // Gives the database of a file, with this number of games, its text, and opens it. REQUIRES: the
  // folder is locked, and no text is there.
  absl::StatusOr<ReadDatabase> complete(const PgnFile& file, std::uint64_t games,
                                        RecordsText text) const;
  // Returns the records among `kept` of an earlier state of a file that is the beginning of this
  // one, unless they are damaged. Errors: those of reading the file.
  absl::StatusOr<std::optional<EarlierGames>> earlier_of(
      const PgnFile& file, const SourceFile& source, const std::vector<RecordFiles>& kept) const;
  std::uint64_t room() const;
  // Removes those of `kept` that belong to other states of a file, then the oldest ones until all
  // take at most `room` bytes, or a little more; never those of this state. REQUIRES: the folder is
  // locked.
  void make_room(const PgnFile& file, const std::vector<RecordFiles>& kept,
                 std::uint64_t room) const;

  const std::filesystem::path& folder() const { return options_.cache_folder; }
  // Returns whether all work is to end.
  bool is_over() const { return options_.is_over && options_.is_over(); }

  const DatabaseOptions options_;
  const std::uint64_t most_bytes_;
};

// Removes the unfinished records of readers that were killed from a cache folder.
void remove_abandoned_records(const std::filesystem::path& folder);

}  // namespace scidfs::fs
