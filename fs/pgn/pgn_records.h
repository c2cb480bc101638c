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
// The text is written first, with the first word alone, and replaced last: as long as it is not
// whole, or a length differs, the other files do not count. Files with such names are only removed
// if there is a text with that word; if there is none, they belong to the user, and the records get
// another STATE. A process that adds or removes records has locked the folder (RecordFolder); one
// that reads them has not, and trusts what the checksums say.
//
// All checksums are XXH3. They are compared each time before anything of the records is shown or
// copied, for which all their bytes are read: index and names, which are read anyway, and the
// games, about 90 bytes each: 0.04 s for a million on two busy cores. If one differs, a warning is
// logged, the file is read again, and the new records replace the others. Damage that comes later,
// during a mount, is found as in any database: see GameFile and IndexFile.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "fs/base/progress.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/pgn/lazy_database.h"
#include "fs/pgn/pgn_file.h"
#include "fs/pgn/record_folder.h"

namespace scidfs::fs {

// Keeps the records of PGN files that are shown in one way. Any number of threads and processes may
// use one folder.
class PgnRecordStore {
 public:
  // `options`: how to show the databases. Their code page is that of texts of PGN files, too.
  // Without a folder that may be used, every file is refused.
  PgnRecordStore(DatabaseOptions options, std::shared_ptr<RecordFolder> folder);

  // Returns the records of a file if it has been read before. They are only used if no other user
  // can have written them, and they are as they were made.
  std::optional<ReadDatabase> find(const PgnFile& file) const;

  // Returns whether a file may be an earlier state of it, `before`, with more at its end. If there
  // are records of that, they tell; else longer files may be.
  bool may_continue(const PgnFile& file, const PgnFile& before) const;

  // Returns the records of a file as find() does, or else reads it on the threads of the budget and
  // keeps its records. Those of an earlier state of the file are removed; if that is the beginning
  // of this one, only what follows is read. If there is no room, those that were made first are
  // removed. If the file has grown since its stamp was taken, the bytes of that time are read.
  // `progress` counts bytes of the file. Errors: OutOfRange if there is no room for the records,
  // with the reason; FailedPrecondition if the file has changed otherwise, or another process has
  // interfered; Cancelled; those of reading and writing. Nothing half is left.
  absl::StatusOr<ReadDatabase> make(const PgnFile& file, const WorkBudget& budget,
                                    Progress progress) const;

  // Returns how many bytes all records may take now; 0 if none may be kept.
  std::uint64_t room() const { return folder_->room(); }

 private:
  class Entry;

  // Returns whether all work is to end.
  bool is_cancelled() const { return options_.is_cancelled && options_.is_cancelled(); }

  const DatabaseOptions options_;
  const std::shared_ptr<RecordFolder> folder_;
};

// Removes the unfinished records of readers that were killed from a cache folder.
void remove_abandoned_records(const std::filesystem::path& folder);

}  // namespace scidfs::fs
