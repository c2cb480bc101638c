// The name space of a mount: paths, inodes, attributes and bytes, without a word about FUSE.
//
// All functions may be called from any number of threads at once. Errors are absl codes that the
// handlers turn into errno in one place: NotFound (ENOENT), FailedPrecondition (ESTALE: the number
// belongs to a version of a database that is gone), InvalidArgument (a number or a name that no
// version ever had: ENOENT), OutOfRange (ENAMETOOLONG: a question is too long), Unavailable (the
// answer wants more effort: ask again), Cancelled (the effort was over first), DataLoss (EIO),
// anything else (EIO).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "fs/base/inode.h"
#include "fs/content/snapshot.h"
#include "fs/content/work_budget.h"
#include "fs/file/time.h"
#include "fs/library/catalog.h"
#include "fs/library/pending_changes.h"
#include "fs/tree/block_reader.h"
#include "fs/tree/content_cache.h"
#include "fs/tree/request_counters.h"
#include "fs/tree/status_file.h"

namespace scidfs::fs {

class Library;

// What stat(2) wants to know. Everything is read-only and belongs to whoever the session says.
struct Attributes {
  Inode inode = 0;
  // Always the same for one inode. 0 for the root alone: the kernel knows that one as (1, 0) and
  // takes any other for a stale inode.
  std::uint32_t generation = 0;
  bool is_directory = false;
  std::uint64_t size = 0;  // exact, for files
  FileTime mtime;
};

// A name that lookup() found.
struct Entry {
  Attributes attributes;
  // How long the kernel may believe in the name and in the attributes: for ever, or a second at
  // most. The bytes of a file's number never change; directories may.
  bool name_is_stable = false;
  bool attributes_are_stable = false;
  // False: the size is not known yet, and `attributes` says 0 (UnknownSize::IsLeftOut).
  bool has_size = true;
};

// What lookup() does where the effort does not suffice for the size of a file.
enum class UnknownSize : std::uint8_t { IsUnavailable, IsLeftOut };

// A name in a directory listing.
struct DirectoryEntry {
  std::string_view name{};
  bool is_directory = false;
  Inode inode = 0;
  std::uint64_t next = 0;  // where to go on after this entry
};

struct TreeStatistics {
  std::uint64_t files = 0;  // for statfs: games of all databases
  std::uint64_t bytes = 0;  // of the source files
};

class Tree {
 public:
  struct Options {
    BlockReader::Options blocks;
    const RequestCounters* requests = nullptr;  // shown in status.txt; outlives the tree
  };

  // `library` outlives the tree.
  Tree(const Library& library, const Options& options);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // The entry `name` of a directory. Never scans a directory; what the entry's size wants is
  // bounded by `effort`.
  absl::StatusOr<Entry> lookup(Inode parent, std::string_view name, const WorkBudget& budget,
                               UnknownSize unknown = UnknownSize::IsUnavailable);

  absl::StatusOr<Attributes> attributes(Inode inode, const WorkBudget& budget);

  // Lists a directory from position `first` (0, or `next` of an earlier entry) until `emit` returns
  // false. "." and ".." are not among the entries. Positions of an unchanged directory stay valid.
  // An error may come after some entries; then the list is to be asked for again as a whole.
  absl::Status list(Inode directory, std::uint64_t first, const WorkBudget& budget,
                    absl::FunctionRef<bool(const DirectoryEntry&)> emit) const;

  // Up to `size` bytes of a file from `offset`; fewer only at the end of the file or of a block,
  // none at or after the end of the file.
  absl::StatusOr<Slice> read(Inode file, std::uint64_t offset, std::size_t size,
                             const WorkBudget& budget);

  // Appends all bytes of a file, past the cache of blocks: for what is read once.
  absl::Status append(Inode file, std::string& out);

  // The number of what a file or directory belongs to, if that is far (fs/file/locality.h); else 0.
  // Whatever reads the source of it may wait for ever, and is done with a whole effort only.
  std::uint16_t remote_slot(Inode inode) const;

  // What the answer of lookup(), or of list() if `name` is empty, is to wait for: see
  // Unrest::concerns(). Nothing if it is not to wait, whatever happens. To be asked before.
  std::optional<PendingChanges::Request> query(Inode directory, std::string_view name) const;
  PendingChanges& pending_changes() const;

  TreeStatistics statistics() const;

  // To be called after each new catalog: lets go of what is cached of versions that the library has
  // let go of, and returns of what the kernel may know old things: the directories of what is new
  // or gone, and those in them.
  std::vector<Inode> renew() ABSL_LOCKS_EXCLUDED(seen_mutex_);
  // The same of what may have changed.
  std::vector<Inode> doubtful(const std::vector<PendingChanges::ChangeEvent>& signs) const;

 private:
  class Request;

  absl::StatusOr<std::uint64_t> size_of(Inode inode, const MountedVersion& shown, LocalId file,
                                        const WorkBudget& budget);

  const Library& library_;
  BlockReader blocks_;
  ContentCache contents_;
  StatusFile status_;
  cache::Mutex seen_mutex_;
  CatalogPtr seen_ ABSL_GUARDED_BY(seen_mutex_);  // the last that renew() saw
};

}  // namespace scidfs::fs
