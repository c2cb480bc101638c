// What tests ask of a library and of a tree.
#pragma once

#include <memory>
#include <vector>

#include "fs/content/effort.h"
#include "fs/library/library.h"

namespace scidfs::tests {

// As much as it takes.
inline fs::Effort whole_effort() {
  return fs::Effort::whole([] { return false; });
}

// All databases that are shown now.
inline std::vector<fs::ShownPtr> shown_databases(const fs::Library& library) {
  std::vector<fs::ShownPtr> found;
  const fs::CatalogPtr catalog = library.catalog();
  for (const fs::ShownPtr& shown : catalog->all()) {
    if (shown->database != nullptr) found.push_back(shown);
  }
  return found;
}

}  // namespace scidfs::tests
