// together/ of a folder with PGN files.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/library/lazy_together.h"
#include "fs/reference/reference.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// Its places are those of a DatabaseSnapshot of all that can be read, and those of info.txt and
// .ignore until then. Its own directory is listed, and names in it are found, without reading a PGN
// file; what is below needs games.
class TogetherSnapshot : public Snapshot {
 public:
  TogetherSnapshot(std::shared_ptr<const LazyTogether> together,
                   std::shared_ptr<QueryContext> searches,
                   std::shared_ptr<const Reference> reference)
      : together_(std::move(together)),
        searches_(std::move(searches)),
        reference_(std::move(reference)) {}

  std::string summary() const override;
  std::uint64_t memory() const override;
  NodePtr bind(LocalId place) const override;
  std::uint64_t identity(LocalId place) const override;
  absl::StatusOr<bool> prepare_find(const WorkBudget& budget) const override;

 private:
  class Unread;

  // Returns the databases as one; null as long as they have not been read, and if too few can be.
  std::shared_ptr<const DatabaseSnapshot> views() const;
  // Returns what the directory has before anything is read.
  std::vector<Child> children() const;
  // Return a place, and a name in the directory, as long as nothing has been read; null and nothing
  // if they do not exist.
  NodePtr bind_unread(LocalId place) const;
  std::optional<Child> find_unread(std::string_view name) const;

  const std::shared_ptr<const LazyTogether> together_;
  const std::shared_ptr<QueryContext> searches_;
  const std::shared_ptr<const Reference> reference_;
};

}  // namespace scidfs::fs
