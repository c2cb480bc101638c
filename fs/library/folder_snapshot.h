// A folder of the source as a directory: its mounted entries and info.txt.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/places_snapshot.h"
#include "fs/database/database_options.h"

namespace scidfs::fs {

// Names that scidfs itself adds to folders and to the mount point.
inline constexpr std::string_view kFolderInfoName = "info.txt";
inline constexpr std::string_view kStatusName = "status.txt";
inline constexpr std::string_view kReadmeName = "README.txt";
inline constexpr std::string_view kTogetherName = "together";

class FolderSnapshot : public PlacesSnapshot {
 public:
  // The texts of its files. Only the mount point has robots.txt. The page is empty without pages.
  struct Texts {
    std::string info;
    std::string page;
    PagesMode pages = PagesMode::None;
    bool is_mount_point = false;
    bool lists_last = true;  // the last of the names
  };
  // `names`: the entries mounted here, by number, in the order of the listing; all different, and
  // none is one that TakenNames has from the start.
  FolderSnapshot(std::vector<std::string> names, Texts texts);

  std::string summary() const override;
  std::uint64_t memory() const override;

 private:
  bool exists(LocalId place) const override;
  bool is_directory(LocalId place) const override { return place == LocalId{}; }
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  std::optional<Child> find(LocalId directory, std::string_view name) const override;
  bool is_cheap() const override { return true; }
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;
  // Returns what the listing has at a position; nothing for a file that it leaves out.
  std::optional<Child> child(std::size_t position) const;

  const std::vector<std::string> names_;
  const Texts texts_;
  absl::flat_hash_map<std::string_view, std::uint32_t> by_name_;  // views of names_
};

// The names used in one folder. The first of several equal names stays as it is; later ones get
// `~1`, `~2`, ...
class TakenNames {
 public:
  explicit TakenNames(bool is_mount_point, bool has_together = false);
  std::string take(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace scidfs::fs
