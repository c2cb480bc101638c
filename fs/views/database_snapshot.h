// A version of a database as a directory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/search/searches.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Its places are those of the views: `view` is a number of find_view().
class DatabaseSnapshot : public Snapshot {
 public:
  // `searches` belongs to all databases of a mount; null: to this one alone.
  explicit DatabaseSnapshot(DatabasePtr database, std::shared_ptr<Searches> searches = nullptr);

  const DatabasePtr& database() const { return version_.database; }

  std::string summary() const override;  // "1000 games"
  std::vector<std::string> problems() const override { return database()->problems(); }
  std::uint64_t memory() const override;

  bool is_directory(Place place) const override;
  bool exists(Place place) const override;
  std::uint64_t identity(Place place) const override;
  Place parent(Place directory) const override;
  absl::Status list(Place directory, std::uint64_t first, const Effort& effort,
                    EmitChild emit) const override;
  std::optional<Child> lookup(Place directory, std::string_view name) const override;
  bool is_cheap(Place file) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(Place file, const Effort& effort) const override;

 private:
  const Version version_;
};

}  // namespace scidfs::fs
