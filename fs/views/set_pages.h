// index.html of sets, and of their search/, positions/ and against/.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the page of a set: set_page(), or position_page() for a position. Errors: those of
// summary.txt and, for a position, of explorer.json.
absl::StatusOr<std::unique_ptr<Content>> open_page(const Set& set, const WorkBudget& budget);

// Open the pages of search/ and positions/ of a set.
absl::StatusOr<std::unique_ptr<Content>> open_search_page(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_positions_page(const Set& set,
                                                             const WorkBudget& budget);

// Opens the page of against/, which leads to the games with each opponent. Errors: those of
// summary.txt.
absl::StatusOr<std::unique_ptr<Content>> open_against_page(const Set& set,
                                                           const WorkBudget& budget);

}  // namespace scidfs::fs
