// What a mount shows at one moment: folders and the snapshots of their databases.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/text_directory.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A folder of the source that holds something to show somewhere below.
struct Folder {
  std::string name;                        // as on disk; empty for the source itself
  std::string path;                        // relative to the source, without a leading slash
  std::uint32_t key = 0;                   // stable across mounts
  std::uint32_t parent = 0;                // key; 0 for the source
  std::vector<std::uint32_t> folders{};    // keys, by name
  std::vector<std::uint16_t> databases{};  // slots, by name
  std::vector<std::uint16_t> texts{};      // slots of directories of texts, by name
  std::vector<std::string> refused{};      // "name: why" of what cannot be opened
  // The slot of a directory of texts of which entries stand in the folder itself, behind the
  // others; 0 if there is none. Its info.txt, if it has one, stands in for that of the folder.
  std::uint16_t own_texts = 0;
  Place own_place{};  // of that, the directory whose entries they are
  // Later than that of any other list that the folder has had.
  std::int64_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
};

// A snapshot (a Database or ShownTexts) that has been replaced, for those who still read in it.
template <class Snapshot>
struct Retired {
  explicit Retired(std::shared_ptr<const Snapshot> replaced);

  const std::shared_ptr<const Snapshot> snapshot;
  std::atomic<std::int64_t> last_used;  // seconds of the steady clock
};
template <class Snapshot>
using RetiredList = std::vector<std::shared_ptr<Retired<Snapshot>>>;

// Immutable, but for the note when a retired snapshot was last used. Thread-safe.
class Catalog {
 public:
  // How many catalogs the mount has had before.
  std::uint32_t generation() const { return generation_; }
  // The slot of the one database that is the root itself; 0 if the root is a folder.
  std::uint16_t root_database() const { return root_database_; }
  // Whether a source that is no folder is shown.
  bool shows_source() const { return root_database_ != 0 || root_folder().own_texts != 0; }
  const Folder* folder(std::uint32_t key) const;
  const Folder& root_folder() const { return folders_.front(); }
  const std::vector<Folder>& folders() const { return folders_; }
  // The folder of a database that exists.
  const Folder& folder_of(std::uint16_t database) const;
  // The folder that a directory of texts lies in, or whose own it is.
  const Folder& folder_of_texts(std::uint16_t slot) const;
  // The folder in which the entries of such a directory stand; null if there is none.
  const Folder* folder_at(std::uint16_t slot, Place place) const;
  // The newest snapshot of a database; null for an unknown slot.
  DatabasePtr database(std::uint16_t slot) const;
  // The snapshot with an epoch, newest or not; null if it is gone. Counts as use of it.
  DatabasePtr database(std::uint16_t slot, std::uint16_t epoch) const;
  // The same of directories of texts, which never share a slot with a database.
  TextsPtr texts(std::uint16_t slot) const;
  TextsPtr texts(std::uint16_t slot, std::uint16_t epoch) const;
  // Whether a snapshot of either kind is still there. Does not count as use of it.
  bool has(std::uint16_t slot, std::uint16_t epoch) const;
  // How many snapshots are kept for those who still read in them.
  std::size_t retired() const { return retired_.size() + retired_texts_.size(); }
  const std::map<std::uint16_t, TextsPtr>& all_texts() const { return texts_; }
  const std::map<std::uint16_t, DatabasePtr>& databases() const { return databases_; }

  std::uint64_t games() const;
  // Games whose size is known.
  std::uint64_t sizes_known() const;

 private:
  friend class Library;
  // Lets go of snapshots that have not been used for long, or are too many. Whether there were any.
  bool forget_retired();

  std::uint32_t generation_ = 0;
  std::uint16_t root_database_ = 0;
  std::vector<Folder> folders_;                     // the source first
  std::map<std::uint16_t, DatabasePtr> databases_;  // by slot
  std::map<std::uint16_t, TextsPtr> texts_;         // by slot
  // The last one replaced first.
  RetiredList<Database> retired_;
  RetiredList<ShownTexts> retired_texts_;
};
using CatalogPtr = std::shared_ptr<const Catalog>;

// Seconds of a clock that never goes back.
std::int64_t steady_seconds();

}  // namespace scidfs::fs
