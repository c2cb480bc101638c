// A directory or a file of a snapshot, bound for one request.
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

class Node;
using NodePtr = std::shared_ptr<const Node>;

// A place that exists (Snapshot::bind()). A request binds it once and asks the node for everything,
// so that the whole request sees one state of it. Used by one thread; its snapshot outlives it.
class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  virtual bool is_directory() const = 0;

  // Of directories.
  //
  // Returns the directory above. REQUIRES: this is not that of the snapshot itself.
  virtual LocalId parent() const { return {}; }
  // Lists from position `first` until `emit` returns false. `next` of a child is the position after
  // it, at most 2^40. Results that take work are computed once. Errors: Unavailable if that exceeds
  // the budget; Cancelled; as open().
  virtual absl::Status list(std::uint64_t /*first*/, const WorkBudget&, EmitChild) const {
    return absl::OkStatus();
  }
  // Finds a name, also one that list() does not emit. The child may have a refusal. Never scans.
  virtual std::optional<Child> find(std::string_view) const { return std::nullopt; }
  // Returns what a misspelled name may mean, the nearest first: names that find() would find here,
  // of which list() may emit none, and paths from here, `../2013/Open`. Errors: those of list().
  virtual absl::StatusOr<std::vector<std::string>> nearest(std::string_view /*name*/,
                                                           const WorkBudget&) const {
    return std::vector<std::string>();
  }
  // Returns a file that find() has found here, bound by what this has bound; null: by its place.
  virtual NodePtr bind_child(const Child&) const { return nullptr; }

  // Of files.
  //
  // Returns its time if that is not the time of the version.
  virtual std::optional<FileTime> mtime() const { return std::nullopt; }
  // Returns the size of the content that open() gives, if that is known without opening it.
  virtual std::optional<std::uint64_t> known_size() const { return std::nullopt; }
  // Returns whether its bytes are those of a file of the source, which may contain anything.
  virtual bool is_of_source() const { return false; }
  // Returns whether opening it is as fast as finding it in a cache of open ones.
  virtual bool is_cheap() const { return false; }
  // Returns the content, of exactly known size. Errors: NotFound; Unavailable if finding its size
  // exceeds the budget; Cancelled if the budget is cancelled; FailedPrecondition if the source has
  // changed; DataLoss if it cannot be read.
  virtual absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget&) const {
    return absl::NotFoundError("no such file");
  }
};

}  // namespace scidfs::fs
