// A snapshot with its place in the mount.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/base/inode.h"
#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/file/time.h"
#include "fs/library/refusal.h"
#include "fs/pgn/lazy_database.h"
#include "fs/views/version.h"

namespace scidfs::fs {

class LazyTogether;

// Slot and epoch of a version. Its files carry them in their inode numbers.
using VersionKey = std::pair<std::uint16_t, std::uint16_t>;

// What info.txt calls a database.
inline constexpr std::string_view kDatabaseNoun = "database";

// A version of a source file or folder, with its place in the source and in the mount. Immutable
// and shared.
struct MountedVersion {
  std::string name{};       // of its directory; empty for the mount point itself
  std::string path{};       // relative to the source
  std::string_view noun{};  // what info.txt calls it; empty: a folder, or a part of one
  // Whether it shows the databases of the folder `path` as one; its noun is empty.
  bool is_together = false;
  // The parent directory; slot 0: this is the mount point.
  std::uint16_t parent_slot = 0;
  LocalId parent_place{};

  // Inode numbers.
  std::uint16_t slot = 0;       // of its directories; never changes during a mount
  std::uint16_t file_slot = 0;  // of its files: a new one when all epochs of a slot have been used
  std::uint16_t epoch = 0;      // of its files
  std::uint64_t path_hash = 0;

  // The version.
  std::uint64_t fingerprint = 0;
  std::uint64_t of_files = 0;  // the fingerprint of its files alone
  unsigned version = 1;        // the first that a mount shows is 1
  std::int64_t opened = 0;     // in seconds since 1970
  FileTime mtime{};       // of its directories; in a later second than that of the version before
  FileTime file_mtime{};  // of its files: the same, except for changes without a new version

  // What it shows.
  std::uint64_t source_bytes = 0;
  // Whether reading its files may take long or never end (fs/file/locality.h).
  bool is_remote = false;
  SnapshotPtr snapshot{};
  std::shared_ptr<const Database> database{};  // null if it is none, or has not been read yet
  VersionPtr views{};                          // of the database
  // Those that it has been asked about; null if it shows no database.
  std::shared_ptr<AskedRepertoires> repertoires{};
  // Of a PGN file: reads the database when it is first needed; else null.
  std::shared_ptr<const LazyDatabase> lazy{};
  // Of together/ with PGN files that had not been read, or are refused; else null.
  std::shared_ptr<const LazyTogether> lazy_together{};
  // Becomes true when the last size of the database becomes known during a mount: the directory's
  // description changes then, without a new version. Null: the change is done, or none is expected.
  std::shared_ptr<const std::atomic<bool>> sizes_completed{};

  // Of a folder or a container.
  std::vector<std::uint16_t> mounted{};  // slots of the entries mounted in it, by Child::mounted
  std::vector<Refusal> refused{};
  std::vector<Refusal> links{};                                // to folders that are not followed
  std::vector<std::shared_ptr<const MountedVersion>> inner{};  // the databases of a container

  VersionKey key() const { return {file_slot, epoch}; }
};
using MountedVersionPtr = std::shared_ptr<const MountedVersion>;

// Returns the database of a version, also one that has been read since the version was made; null
// if there is none.
std::shared_ptr<const Database> database_of(const MountedVersion& shown);
// Returns whether a database has been read, and refused.
bool is_refused(const MountedVersion& shown);

// Returns the generation number that a file handle carries besides an inode number. It depends on
// the path, for a file also on the version, and on kInodeLayout. Never 0, and always the same for
// one inode number. The files of the mount itself, in slot 0, have no version: theirs is the
// identity that their snapshot returns. So handles are refused if another database got their slot
// after a remount, or another query got their number.
std::uint32_t generation_of(const MountedVersion& shown, LocalId place, bool is_directory);

}  // namespace scidfs::fs
