// One version of a thing that is shown as a directory: a database, an archive, a book, a folder.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/file/time.h"

namespace scidfs::fs {

// One version of a source. Immutable and shared. Any number of threads may call it at once.
//
// Its directories and files are places (fs/content/directory.h); its own directory is LocalId{}.
// The meaning of a place may depend only on the bytes of the version: places are part of inode
// numbers, which are the same after a remount. The place of a directory is looked up in the newest
// version, that of a file only in the version that it came from. Places may come from outside: one
// that means nothing does not exist.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  virtual ~Snapshot() = default;

  // Returns one line about it, for info.txt of its folder: "1,234 positions".
  virtual std::string summary() const = 0;
  // Returns its problems, a line each.
  virtual std::vector<std::string> problems() const { return {}; }
  // Returns how many bytes of memory it costs to keep this, including its unpacked files.
  virtual std::uint64_t memory() const { return 0; }

  virtual bool is_directory(LocalId place) const = 0;
  // Returns whether a place, directory or file, exists. Costs no decoding.
  virtual bool exists(LocalId place) const = 0;
  // Returns what else distinguishes the place from another one that had its number before: the
  // content of a query, for instance. 0: the number never had another place.
  virtual std::uint64_t identity(LocalId) const { return 0; }
  // Returns the time of a file that does not have that of the version.
  virtual std::optional<FileTime> mtime(LocalId) const { return std::nullopt; }
  // Returns the parent of a directory. REQUIRES: the directory exists, and is not LocalId{}.
  virtual LocalId parent(LocalId) const { return {}; }
  // Lists a directory from position `first` until `emit` returns false. `next` of a child is the
  // position after it, at most 2^40. Results that take work are computed once. Errors: Unavailable
  // if that exceeds the budget; Cancelled; as open(). REQUIRES: the directory exists.
  virtual absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                            EmitChild emit) const = 0;
  // Reads what was left to the first lookup() of a name that needs it. Returns whether lookup() may
  // find more than at first. Errors: Unavailable if that exceeds the budget; Cancelled; of reading.
  virtual absl::StatusOr<bool> prepare_lookup(const WorkBudget&) const { return false; }
  // Finds a name in a directory, also one that list() does not emit. The child may have a refusal.
  // Never scans. REQUIRES: the directory exists.
  virtual std::optional<Child> lookup(LocalId directory, std::string_view name) const = 0;
  // Returns whether lookup() reads the source, which may take long where that is remote.
  virtual bool lookup_reads() const { return false; }
  // Returns whether opening a file is as fast as finding it in a cache of open ones.
  virtual bool is_cheap(LocalId) const { return false; }
  // Returns the content of a file, of exactly known size. Errors: NotFound; Unavailable if finding
  // its size exceeds the budget; Cancelled if the budget is cancelled; FailedPrecondition if the
  // source has changed; DataLoss if it cannot be read.
  virtual absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                        const WorkBudget& budget) const = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace scidfs::fs
