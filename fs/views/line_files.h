// lines.pgn, lines-white.pgn, lines-black.pgn, and the files with other bounds in lines/,
// lines-white/ and lines-black/, of any set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string_view>

#include "codec/types.h"
#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the lines of a set, with the bounds of its query, or with the usual ones if it has none.
// The lines of a position are those of the tree below it. Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_lines_of(const Set& set,
                                                       std::optional<codec::Color> side,
                                                       const WorkBudget& budget);
// Finds `plies=24,games=3.pgn` in the directory of a side. A name with a `=` that has no bounds is
// added to the rejected names.
std::optional<Child> find_lines_of(const Set& set, std::optional<codec::Color> side,
                                   std::string_view name);

}  // namespace scidfs::fs
