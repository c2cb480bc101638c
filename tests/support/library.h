// Helpers of tests for a library and a tree.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/library/library.h"

namespace scidfs::tests {

// A budget without limit.
inline fs::WorkBudget unlimited_budget() {
  return fs::WorkBudget::unlimited([] { return false; });
}

// Files are shown as they are, without waiting for recently written ones.
inline fs::LibraryOptions without_patience() {
  fs::LibraryOptions options;
  options.first_patience = std::chrono::milliseconds(0);
  return options;
}

// All databases that are shown now.
inline std::vector<fs::MountedVersionPtr> shown_databases(const fs::Library& library) {
  std::vector<fs::MountedVersionPtr> found;
  const fs::CatalogPtr catalog = library.catalog();
  for (const fs::MountedVersionPtr& shown : catalog->all()) {
    if (shown->database != nullptr) found.push_back(shown);
  }
  return found;
}

}  // namespace scidfs::tests
