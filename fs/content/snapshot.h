// One version of something that is shown as a directory: a database, an archive, a book, a folder.
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

namespace scidfs::fs {

// Immutable and shared. Any number of threads may call it at once.
//
// Its directories and files are places (fs/content/directory.h); its own directory is Place{}. What
// a place means may depend on nothing but the bytes of the version: places are part of inode
// numbers, which are the same after a remount. The place of a directory is looked up in the newest
// version, that of a file only in the version that it came from. Places may come from outside: one
// that means nothing does not exist.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  virtual ~Snapshot() = default;

  // One line about it, for info.txt of its folder: "1,234 positions".
  virtual std::string summary() const = 0;
  // What is wrong with it, a line each.
  virtual std::vector<std::string> problems() const { return {}; }
  // Bytes of memory that keeping it costs, those of its unpacked files included.
  virtual std::uint64_t memory() const { return 0; }

  virtual bool is_directory(LocalId place) const = 0;
  // Whether a place, directory or file, is there. Costs no decoding.
  virtual bool exists(LocalId place) const = 0;
  // What else tells the place from another one that had its number before: what a question asks,
  // for instance. 0: nothing has, or can.
  virtual std::uint64_t identity(LocalId) const { return 0; }
  // The directory that another one lies in. REQUIRES: it is a directory that exists, and not
  // Place{}.
  virtual LocalId parent(LocalId) const { return {}; }
  // Lists a directory from position `first` until `emit` says false; `next` of a child, which is at
  // most 2^40, is where to go on after it. What takes work to find out is found out once. Errors:
  // Unavailable if that wants more effort; Cancelled; as open(). REQUIRES: the directory exists.
  virtual absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                            EmitChild emit) const = 0;
  // Finds a name in a directory, also one that list() does not tell of; perhaps a child with a
  // refusal. Never scans. REQUIRES: the directory exists.
  virtual std::optional<Child> lookup(LocalId directory, std::string_view name) const = 0;
  // Whether a file is opened as fast as it is found in a cache of open ones.
  virtual bool is_cheap(LocalId) const { return false; }
  // What is in a file, of exactly known size. Errors: NotFound; Unavailable if finding its size
  // wants more effort; Cancelled if the effort is over; FailedPrecondition if the source is not
  // what it was; DataLoss if it cannot be read.
  virtual absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                        const WorkBudget& budget) const = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace scidfs::fs
