// tags.tsv and values/ of any set.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the table of the tag that the set's query names, or tags.tsv if it names none. NotFound if
// no game has the tag; Unimplemented if it has too many values, or all have. Errors otherwise: see
// Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_tags(const Set& set, const WorkBudget& budget);

// Finds `Annotator.tsv` in values/. Any tag that is not in the index has a file; other names that
// end in .tsv are added to the rejected names.
std::optional<Child> find_values(const Set& set, std::string_view name);
// Lists the tables of the tags in tags.tsv, or of the first if there are very many. Errors: see
// Snapshot::list().
absl::Status list_values(const Set& set, std::uint64_t first, const WorkBudget& budget,
                         EmitChild emit);

}  // namespace scidfs::fs
