// A directory of a database that is read when it is first needed.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "fs/content/node.h"
#include "fs/search/query_context.h"
#include "fs/views/database_snapshot.h"

namespace scidfs::fs {

// A directory by its number, as programs know it that are in the same directory of an earlier
// version: whether the database has it, too, is known when that has been read. A name is found
// after Snapshot::prepare_find(); a listing reads.
class UnreadDirectory : public Node {
 public:
  using Views = std::shared_ptr<const DatabaseSnapshot>;
  // Returns the database; null if there is none. Errors: those of Node::list().
  using Read = std::function<absl::StatusOr<Views>(const WorkBudget& budget)>;

  // Returns whether a place may be a directory, for all that its number tells.
  static bool may_exist(QueryContext& searches, LocalId place);

  // REQUIRES: may_exist().
  UnreadDirectory(LocalId place, Read read) : place_(place), read_(std::move(read)) {}

  bool is_directory() const override { return true; }
  LocalId parent() const override;
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override;

 private:
  // Returns the place in the database; null if that has not been read, or does not have it.
  NodePtr known() const;

  const LocalId place_;
  const Read read_;
};

// Returns the place of a database as a node that keeps it; null if there is neither.
NodePtr bind_kept(std::shared_ptr<const DatabaseSnapshot> views, LocalId place);

}  // namespace scidfs::fs
