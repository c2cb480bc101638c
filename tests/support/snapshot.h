// Asks a snapshot by places and paths.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "fs/content/snapshot.h"

namespace scidfs::tests {

// Returns a name in a directory.
inline std::optional<fs::Child> child_of(const fs::Snapshot& snapshot, fs::LocalId directory,
                                         std::string_view name) {
  const fs::NodePtr node = snapshot.bind(directory);
  return node == nullptr ? std::nullopt : node->find(name);
}

// Follows a path; the empty path is the directory of the snapshot.
inline std::optional<fs::LocalId> follow(const fs::Snapshot& snapshot, std::string_view path) {
  fs::LocalId place;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::optional<fs::Child> child = child_of(snapshot, place, path.substr(0, slash));
    if (!child.has_value()) return std::nullopt;
    place = child->place;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return place;
}

inline absl::StatusOr<std::unique_ptr<fs::Content>> open_file(const fs::Snapshot& snapshot,
                                                              fs::LocalId file,
                                                              const fs::WorkBudget& budget) {
  const fs::NodePtr node = snapshot.bind(file);
  if (node == nullptr) return absl::NotFoundError("no such file");
  return node->open(budget);
}

}  // namespace scidfs::tests
