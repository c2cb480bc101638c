// Tables with comma-separated values.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Appends lines of tab-separated values as those of RFC 4180, but they end with a line feed alone.
// Fields with commas or quotes are quoted. REQUIRES: `lines` is empty or ends with a line feed.
void append_csv(std::string_view lines, std::string& out);

// Returns a table of tab-separated values (fs/base/tsv.h) as append_csv() writes it. Reads the
// table once, on several threads, to learn the size; keeps the table and 8 bytes for each 128 KiB.
// Errors: Unavailable if that exceeds the budget, Cancelled, and those of Content::read().
absl::StatusOr<std::unique_ptr<Content>> open_csv(std::unique_ptr<Content> table,
                                                  const WorkBudget& budget);

}  // namespace scidfs::fs
