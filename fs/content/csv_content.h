// Tables with comma-separated values.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Which programs open a table. Plain: those that take RFC 4180; fields with commas or quotes are
// quoted. Excel: a byte order mark says that it is UTF-8. All fields but numbers and empty ones are
// quoted, and an apostrophe comes before texts that begin as formulas do.
enum class CsvForm : std::uint8_t { Plain, Excel };

// Appends lines of tab-separated values as those of RFC 4180, but they end with a line feed alone.
// REQUIRES: `lines` is empty or ends with a line feed.
void append_csv(std::string_view lines, CsvForm form, std::string& out);

// Returns a table of tab-separated values (fs/base/tsv.h) as append_csv() writes it, after the byte
// order mark if the form has one. Reads the table once, on several threads, to learn the size;
// keeps the table and 8 bytes for each 128 KiB. Errors: Unavailable if that exceeds the budget,
// Cancelled, and those of Content::read().
absl::StatusOr<std::unique_ptr<Content>> open_csv(std::unique_ptr<Content> table, CsvForm form,
                                                  const WorkBudget& budget);

}  // namespace scidfs::fs
