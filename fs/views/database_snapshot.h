// A version of a database as a directory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Its places are those of the views: `view` is a number in views().
class DatabaseSnapshot : public Snapshot {
 public:
  explicit DatabaseSnapshot(DatabasePtr database) : database_(std::move(database)) {}

  const DatabasePtr& database() const { return database_; }

  std::string summary() const override;  // "1000 games"
  std::vector<std::string> problems() const override { return database_->problems(); }
  std::uint64_t memory() const override { return database_->memory(); }

  bool is_directory(Place place) const override;
  bool exists(Place place) const override;
  Place parent(Place directory) const override;
  void list(Place directory, std::uint64_t first, EmitChild emit) const override;
  std::optional<Child> lookup(Place directory, std::string_view name) const override;
  bool is_cheap(Place file) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(Place file, const Effort& effort) const override;

 private:
  const DatabasePtr database_;
};

}  // namespace scidfs::fs
