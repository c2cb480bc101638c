// One version of a thing that is shown as a directory: a database, an archive, a book, a folder.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/directory.h"
#include "fs/content/node.h"
#include "fs/content/work_budget.h"

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

  // Returns a directory or a file; null if the place does not exist. Costs no decoding.
  virtual NodePtr bind(LocalId place) const = 0;
  // Returns what else distinguishes the place from another one that had its number before: the
  // content of a query, for instance. 0: the number never had another place.
  virtual std::uint64_t identity(LocalId) const { return 0; }
  // Reads what was left to the first Node::find() of a name that needs it. Returns whether that may
  // find more than at first. Errors: Unavailable if that exceeds the budget; Cancelled; of reading.
  virtual absl::StatusOr<bool> prepare_find(const WorkBudget&) const { return false; }
  // Returns whether Node::find() reads the source, which may take long where that is remote.
  virtual bool find_reads() const { return false; }
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace scidfs::fs
