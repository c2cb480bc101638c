// The name space of a mount: paths, inodes, attributes and bytes. It knows nothing of FUSE.
//
// All functions are thread-safe. Errors are absl codes that to_errno() turns into an errno
// (fs/requests/failures.h): NotFound (ENOENT), FailedPrecondition (ESTALE: the number belongs to a
// version of a database that is gone), InvalidArgument (a number or a name that no version ever
// had: ENOENT), OutOfRange (ENAMETOOLONG: a query is too long), Unavailable (the answer exceeds the
// budget: ask again with a larger one), Cancelled (EINTR: the budget was cancelled first),
// PermissionDenied (EACCES: for reading the source), ResourceExhausted (ENOMEM, or what
// file_error() was made of, such as ENOSPC), Unimplemented (EFBIG), DataLoss and anything else
// (EIO).
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
#include "fs/tree/mount_snapshot.h"

namespace scidfs::fs {

class Library;

// Attributes for stat(2). Everything is read-only; the session sets the owner.
struct Attributes {
  Inode inode = 0;
  // Always the same for one inode.
  std::uint32_t generation = 0;
  bool is_directory = false;
  std::uint64_t size = 0;  // exact, for files
  FileTime mtime;
};

// A name that lookup() found.
struct Entry {
  Attributes attributes;
  // How long the kernel may cache the name and the attributes: permanently, or a second at most.
  // The bytes of a file's inode number never change; directories may.
  bool name_is_stable = false;
  bool attributes_are_stable = false;
  // False: the size is not known yet, and `attributes` has 0 (UnknownSize::IsLeftOut).
  bool has_size = true;
};

// What lookup() does if computing the size of a file exceeds the budget.
enum class UnknownSize : std::uint8_t { IsUnavailable, IsLeftOut };

// A name in a directory listing.
struct DirectoryEntry {
  std::string_view name{};
  bool is_directory = false;
  Inode inode = 0;
  std::uint64_t next = 0;  // position after this entry
};

struct TreeStatistics {
  std::uint64_t files = 0;  // for statfs: the games of all databases
  std::uint64_t bytes = 0;  // of the source files
};

class Tree {
 public:
  struct Options {
    BlockReader::Options blocks;
    MountSnapshot::MoreStatus more_status{};  // of the front end; may be null
  };

  // `library` outlives the tree.
  Tree(const Library& library, const Options& options);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // Returns the entry `name` of a directory. Never scans a directory. `budget` limits the
  // computation of the entry's size.
  absl::StatusOr<Entry> lookup(Inode parent, std::string_view name, const WorkBudget& budget,
                               UnknownSize unknown = UnknownSize::IsUnavailable);

  absl::StatusOr<Attributes> attributes(Inode inode, const WorkBudget& budget);

  // Lists a directory from position `first` (0, or `next` of an earlier entry) until `emit` returns
  // false. "." and ".." are not among the entries. Positions of an unchanged directory stay valid.
  // An error may come after some entries; the caller must then repeat the whole list.
  absl::Status list(Inode directory, std::uint64_t first, const WorkBudget& budget,
                    absl::FunctionRef<bool(const DirectoryEntry&)> emit) const;

  // Returns up to `size` bytes of a file from `offset`; fewer only at the end of the file or of a
  // block, none at or after the end of the file.
  absl::StatusOr<Slice> read(Inode file, std::uint64_t offset, std::size_t size,
                             const WorkBudget& budget);

  // Returns names that a directory does not list and that a misspelled one may mean
  // (Node::nearest()). Errors: those of list().
  absl::StatusOr<std::vector<std::string>> nearest(Inode directory, std::string_view name,
                                                   const WorkBudget& budget) const;

  // Returns why a directory does not show a name that the source has; empty if it has none.
  std::string why_refused(Inode directory, std::string_view name) const;

  // Returns whether a file is one of the source, as it is there (Node::is_of_source()).
  absl::StatusOr<bool> is_of_source(Inode file) const;

  // Returns whether a game in a file is damaged (Content::has_damaged_games()).
  absl::StatusOr<bool> has_damaged_games(Inode file, const WorkBudget& budget);

  // Appends all bytes of a file without the cache of blocks: for files that are read once.
  absl::Status append(Inode file, std::string& out);

  // Returns the slot of the source that a file or directory belongs to if that is remote
  // (fs/file/locality.h); else 0. Reads of a remote source may never end, so only requests whose
  // budget may wait make them.
  std::uint16_t remote_slot(Inode inode) const;

  // Returns the changes that the answer of lookup(), or of list() if `name` is empty, must wait
  // for: see PendingChanges::concerns(). Nothing if it never waits. Called before the answer is
  // computed.
  std::optional<PendingChanges::Request> query(Inode directory, std::string_view name) const;
  PendingChanges& pending_changes() const;

  TreeStatistics statistics() const;

  // Evicts cached contents of versions that the library has evicted. Returns the directories of
  // which the kernel may have old data: those of new and removed entries, with their
  // subdirectories. Called after each new catalog.
  std::vector<Inode> renew() ABSL_LOCKS_EXCLUDED(seen_mutex_);
  // Returns the same directories for paths that may have changed.
  std::vector<Inode> doubtful(const std::vector<PendingChanges::ChangeEvent>& signs) const;

 private:
  class Request;

  absl::StatusOr<std::uint64_t> size_of(Inode inode, const MountedVersion& version,
                                        const Node& file, const WorkBudget& budget);
  // Adds the time and the size of a file to its entry.
  absl::StatusOr<Entry> finish(Entry entry, const MountedVersion& version, const Node& file,
                               const WorkBudget& budget, UnknownSize unknown);
  // Returns the content of a file, and whether reading it may take long.
  absl::StatusOr<ContentPtr> content_of(Inode inode, const WorkBudget& budget, bool& is_remote);

  const Library& library_;
  BlockReader blocks_;
  ContentCache contents_;
  const std::shared_ptr<const MountSnapshot> own_;  // slot 0
  cache::Mutex seen_mutex_;
  CatalogPtr seen_ ABSL_GUARDED_BY(seen_mutex_);  // the last one that renew() saw
};

}  // namespace scidfs::fs
