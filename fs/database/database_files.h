// The three files of one version of a database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codec/scid/names.h"
#include "fs/database/database_options.h"
#include "fs/database/game_file.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {

// The stamps of index, games and names; all zeros for a missing file.
using DatabaseStamps = std::array<FileStamp, 3>;

// Index file, game file and names file, as they were when they were opened, and whether they fit
// together. Immutable after settle(), except for the checksums of the game file. Thread-safe.
class DatabaseFiles {
 public:
  // Opens the files. Errors: those of Database::open(). Every other problem becomes a line of
  // problems().
  static absl::StatusOr<DatabaseFiles> open(const std::filesystem::path& index_path,
                                            const DatabaseOptions& options);
  // Returns the stamps of the files that have their names now.
  static DatabaseStamps stamps_on_disk(const std::filesystem::path& index_path);

  // Sets names(), by reading their file. Call this or the next one once, before anything that needs
  // names. Errors: those of open().
  absl::Status load_names(const DatabaseOptions& options);
  // Sets them to what load_names() has found before, with names_checksum().
  void adopt_names(codec::scid::Names names, std::uint64_t checksum,
                   const DatabaseOptions& options);

  // What the entries of the index say about names and records.
  struct Records {
    bool are_complete = true;  // each game's names and record exist
    std::uint64_t end = 0;     // of the last one
    std::uint64_t bytes = 0;   // of all games together
  };
  // Compares the files with the entries, and computes the fingerprint. Call this once, when
  // IndexFile::load() has read the entries.
  void settle(const Records& records, const DatabaseOptions& options);

  const std::filesystem::path& index_path() const { return index_path_; }
  IndexFile& index_file() { return index_file_; }
  const IndexFile& index_file() const { return index_file_; }
  GameFile& game_file() { return game_file_; }
  const GameFile& game_file() const { return game_file_; }
  const codec::scid::Names& names() const { return names_; }
  // Reads the names again, as they are stored: names() has them as users see them. Errors: the file
  // cannot be read.
  absl::StatusOr<codec::scid::StoredNames> stored_names(const DatabaseOptions& options) const;
  // Returns the fingerprint of all bytes of the names that are read.
  std::uint64_t names_checksum() const { return names_checksum_; }
  const codec::scid::Format& format() const { return index_file_.format(); }
  const codec::scid::DatabaseInfo& info() const {
    return names_.info.has_value() ? *names_.info : index_file_.header();
  }
  // Returns whether a game's names and record exist.
  bool has_all_of(const codec::scid::GameEntry& entry) const {
    using codec::scid::NameKind;
    return entry.white < names_[NameKind::Player].size() &&
           entry.black < names_[NameKind::Player].size() &&
           entry.event < names_[NameKind::Event].size() &&
           entry.site < names_[NameKind::Site].size() &&
           entry.round < names_[NameKind::Round].size() &&
           entry.offset + entry.length <= game_file_.size();
  }

  // Identifies the bytes of the three files, as far as they have been read, and everything that the
  // texts of games depend on.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // Returns a fingerprint of the stamps of the files, their headers, and of all options that the
  // index and the texts of games depend on: what identifies a version before its entries and names
  // have been read.
  std::uint64_t source_key(const DatabaseOptions& options) const;
  // Returns a fingerprint of the stamps of the files and of the entries of the index: what
  // identifies the moves of all games. REQUIRES: the entries have been read, or adopted.
  std::uint64_t moves_key() const { return add_stamps(index_file_.checksum()); }
  // Returns whether the files still have their stamps, and index and names the bytes that were read
  // before. Reads both again. False also when `is_cancelled`.
  bool are_as_read(const DatabaseOptions& options, absl::FunctionRef<bool()> is_cancelled) const;
  // Returns a checksum of everything that is read of the three files, which depends on their bytes
  // and on the byte order of the machine alone. Reads the game file as a whole, on all processors,
  // as GameFile::sum_up() does: no later read of it returns other bytes unless the check is
  // GameFile::Check::Later. Errors: DataLoss if part of it cannot be read; Cancelled when
  // `is_cancelled`.
  absl::StatusOr<std::uint64_t> checksum(absl::FunctionRef<bool()> is_cancelled) const;
  DatabaseStamps stamps() const { return {index_file_.stamp(), game_file_.stamp(), names_stamp_}; }
  // Return the newest time of the three files, and the bytes of all.
  FileTime mtime() const { return mtime_; }
  std::uint64_t source_bytes() const { return source_bytes_; }
  // Returns whether reads may take long, or never end (fs/file/locality.h).
  bool is_remote() const { return index_file_.is_remote() || game_file_.is_remote(); }

  // Returns whether the three files fit together: each game's names and record exist, and nothing
  // lies after the last record. A database that Scid is still writing is not consistent.
  bool is_consistent() const { return is_consistent_; }
  // Returns the problems of the files as a whole, a line each.
  const std::vector<std::string>& problems() const { return problems_; }
  // Returns differences between what is shown and what is stored that are no damage, a line each.
  std::vector<std::string> notes() const;

  // Returns the maximum number of bytes of records for one file. More than a large database has,
  // and many times the size of the game file, is possible only if games share records, which no
  // program writes: a small database would take hours of work.
  std::uint64_t most_record_bytes() const {
    constexpr std::uint64_t kTimes = 64;
    constexpr std::uint64_t kLeast = std::uint64_t{256} << 20;
    return std::max(kLeast, kTimes * game_file_.size());
  }
  // Returns whether the records of all games exceed that.
  bool shares_records() const { return record_bytes_ > most_record_bytes(); }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  absl::Status open_names(const DatabaseOptions& options);
  void take_names(codec::scid::Names names, const DatabaseOptions& options);
  // Returns the path of the names.
  std::filesystem::path names_path(const DatabaseOptions& options) const;
  std::uint64_t add_stamps(std::uint64_t fingerprint) const;
  absl::Status add_failure(const absl::Status& failure);
  void add_problem(std::string problem);

  std::filesystem::path index_path_;
  IndexFile index_file_;
  GameFile game_file_;
  std::optional<SourceFile> names_file_;  // until its names are there; none if it has failed
  std::vector<std::uint8_t> names_front_;
  codec::scid::Names names_;
  std::uint64_t names_checksum_ = 0;
  std::uint64_t fingerprint_ = 0;
  FileStamp names_stamp_;
  FileTime mtime_;
  std::uint64_t source_bytes_ = 0;
  std::uint64_t record_bytes_ = 0;
  bool is_consistent_ = true;
  std::vector<std::string> problems_;
};

}  // namespace scidfs::fs
