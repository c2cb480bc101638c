// The games of PGN files as records of Scid 5, which the cache folder keeps from the first reading
// of a file on.
//
// Of each file the folder has a database and a text, and their names are PATH-STATE with an ending:
// two fingerprints in hexadecimal digits, one of the path, the code page and the version of the
// reader, one of the stamp of the file.
//
//  .si5 .sn5 .sg5  the database
//  .remarks        a line: "scidfs", the lengths of the other three files, where the last game
//                  begins (byte, line, games before it), a checksum of the bytes before; then a
//                  line for each remark
//
// The text is written last: without it, or if a length differs, the other files do not count.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/archive/inner_database.h"
#include "fs/base/progress.h"
#include "fs/content/work_budget.h"
#include "fs/file/source_file.h"
#include "fs/pgn/record_files.h"

namespace scidfs::fs {

// A PGN file as it was when its stamp was taken.
struct PgnFile {
  std::filesystem::path path;
  FileStamp stamp;
  codec::CodePage page = codec::CodePage::Windows1252;  // of texts that are no UTF-8
  OpenFile open;
  bool is_unpacked = false;  // from a container, which shows its bytes
};

// The records of a PGN file.
struct PgnRecords {
  std::filesystem::path index;  // of the database
  std::string remarks;          // what was wrong in the file, a line each
};

// The records of all PGN files in a cache folder. Immutable; any number of threads and processes
// may use one folder.
class PgnRecordStore {
 public:
  // Without a folder, every file is refused. `most_bytes` is how much all records may take; 0: 2
  // GiB, or a tenth of the free space if that is less.
  explicit PgnRecordStore(std::filesystem::path folder, std::uint64_t most_bytes = 0)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // Returns the records of a file if it has been read before. They are only used if no other user
  // can have written them.
  std::optional<PgnRecords> find(const PgnFile& file) const;

  // Reads a file on the threads of the budget, and keeps its records. Those of an earlier state of
  // the file are removed; if that is the beginning of this one, only what follows is read. If there
  // is no room, those that were made first are removed. `progress` counts bytes of the file.
  // Errors: OutOfRange if there is no room for the records, with the reason; FailedPrecondition if
  // the file has changed since its stamp was taken; Cancelled; those of reading and
  // writing. Nothing half is left.
  absl::StatusOr<PgnRecords> make(const PgnFile& file, const WorkBudget& budget,
                                  Progress progress) const;

 private:
  RecordFiles files_of(const PgnFile& file) const;
  std::uint64_t room() const;
  // Removes those of `kept` that belong to other states of a file, then the oldest ones until all
  // take at most `room` bytes, or a little more; never those of this state.
  void make_room(const PgnFile& file, const std::vector<RecordFiles>& kept,
                 std::uint64_t room) const;

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
};

// Removes the unfinished records of readers that were killed from a cache folder.
void remove_abandoned_records(const std::filesystem::path& folder);

}  // namespace scidfs::fs
