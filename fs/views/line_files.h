// lines.pgn and the files with other bounds in lines/, of any set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the lines of a set, with the bounds of its query, or with the usual ones if it has none.
// The lines of a position are those of the tree below it. Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_lines_of(const Set& set, const WorkBudget& budget);
// Finds `plies=24,games=3.pgn` in lines/. A name with a `=` that has no bounds is added to the
// rejected names.
std::optional<Child> find_lines_of(const Set& set, std::string_view name);

}  // namespace scidfs::fs
