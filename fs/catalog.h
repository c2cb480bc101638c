// What a mount shows at one moment: folders and the snapshots of their databases.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fs/database.h"

namespace scidfs::fs {

// A folder of the source that holds a database somewhere below.
struct Folder {
  std::string name;                        // as on disk; empty for the source itself
  std::string path;                        // relative to the source, without a leading slash
  std::uint32_t key = 0;                   // stable across mounts
  std::uint32_t parent = 0;                // key; 0 for the source
  std::vector<std::uint32_t> folders{};    // keys, by name
  std::vector<std::uint16_t> databases{};  // slots, by name
  std::vector<std::string> refused{};      // "name: why" of databases that cannot be opened
  // Later than that of any other list that the folder has had.
  std::int64_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
};

// A snapshot that has been replaced, for those who still read in it.
struct RetiredDatabase {
  DatabasePtr database;
  std::atomic<std::int64_t> last_used = 0;  // seconds of the steady clock
};

// Immutable, but for the note when a retired snapshot was last used. Thread-safe.
class Catalog {
 public:
  // How many catalogs the mount has had before.
  std::uint32_t generation() const { return generation_; }
  // The slot of the one database that is the root itself; 0 if the root is a folder.
  std::uint16_t root_database() const { return root_database_; }
  const Folder* folder(std::uint32_t key) const;
  const Folder& root_folder() const { return folders_.front(); }
  const std::vector<Folder>& folders() const { return folders_; }
  // The folder of a database that exists.
  const Folder& folder_of(std::uint16_t database) const;
  // The newest snapshot of a database; null for an unknown slot.
  DatabasePtr database(std::uint16_t slot) const;
  // The snapshot with an epoch, newest or not; null if it is gone. Counts as use of it.
  DatabasePtr database(std::uint16_t slot, std::uint16_t epoch) const;
  bool has(std::uint16_t slot, std::uint16_t epoch) const;
  // How many snapshots are kept for those who still read in them.
  std::size_t retired() const { return retired_.size(); }
  const std::map<std::uint16_t, DatabasePtr>& databases() const { return databases_; }

  std::uint64_t games() const;
  // Games whose size is known.
  std::uint64_t sizes_known() const;

 private:
  friend class Library;
  RetiredDatabase* retired(std::uint16_t slot, std::uint16_t epoch) const;
  // Lets go of snapshots that have not been used for long, or are too many. Whether there were any.
  bool forget_retired();

  std::uint32_t generation_ = 0;
  std::uint16_t root_database_ = 0;
  std::vector<Folder> folders_;                            // the source first
  std::map<std::uint16_t, DatabasePtr> databases_;         // by slot
  std::vector<std::shared_ptr<RetiredDatabase>> retired_;  // the last one replaced first
};
using CatalogPtr = std::shared_ptr<const Catalog>;

// Seconds of a clock that never goes back.
std::int64_t steady_seconds();

}  // namespace scidfs::fs
