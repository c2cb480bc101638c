// A snapshot in its place.
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

namespace scidfs::fs {

// Slot and epoch of a version: its files carry them in their numbers.
using VersionKey = std::pair<std::uint16_t, std::uint16_t>;

// What info.txt calls a database.
inline constexpr std::string_view kDatabaseNoun = "database";

// A version of something, with its place in the source and in the mount. Immutable and shared.
struct MountedVersion {
  std::string name;        // of its directory; empty for the mount point itself
  std::string path;        // relative to the source
  std::string_view noun;   // what info.txt calls it
  std::uint16_t slot = 0;  // of its directories, as long as the mount lives
  std::uint16_t file_slot =
      0;                    // of its files: another one when all epochs of a slot have been used
  std::uint16_t epoch = 0;  // of its files
  std::uint64_t fingerprint = 0;
  std::uint64_t path_hash = 0;
  std::uint64_t source_bytes = 0;
  // Whether reading its files may take long, or for ever (fs/file/locality.h).
  bool is_remote = false;
  FileTime mtime;           // of its directories; a second later than that of the version before
  FileTime file_mtime;      // of its files: the same, but for what changed without a new version
  unsigned version = 1;     // the first that a mount shows is 1
  std::int64_t opened = 0;  // when, in seconds since 1970
  SnapshotPtr snapshot;
  std::shared_ptr<const Database> database;  // null if it is none
  // Becomes true when, in a mount, the last size of the database has become known: what is said of
  // it changes then, without a new version. Null: that has been seen to, or there is nothing to
  // wait for.
  std::shared_ptr<const std::atomic<bool>> news;
  // Of a container: its databases in their order; null for those that are not shown.
  std::vector<std::shared_ptr<const MountedVersion>> inner;

  // The directory that it stands in; slot 0: it is the mount point.
  std::uint16_t parent_slot = 0;
  LocalId parent_place{};
  // Of a folder or a container: why things that lie in it are not shown, a line each.
  std::vector<std::string> refused{};
  // The slots of what is mounted in it, by Child::mounted.
  std::vector<std::uint16_t> mounted;

  VersionKey key() const { return {file_slot, epoch}; }
};
using MountedVersionPtr = std::shared_ptr<const MountedVersion>;

// The number of the generation that a file handle carries besides an inode number: of a directory
// from its path alone, of a file from path and version, of both from kInodeLayout. Never 0, and
// always the same for one inode number, so that a handle of a slot that another database got after
// a remount, or of a question whose number another one got, is refused.
std::uint32_t generation_of(const MountedVersion& shown, LocalId place, bool is_directory);

}  // namespace scidfs::fs
