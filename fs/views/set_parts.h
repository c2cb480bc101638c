// parts/ of a set: `parts/64/17/` is the 17th of 64 contiguous parts, each again a set.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Finds the directory of so many parts, in the parts/ of a set. A name that is no such number is
// added to the rejected names.
std::optional<Child> find_in_parts(const Set& set, std::string_view name);

// Open such a directory, where `set` is that of the query. Its names have as many digits as the
// last one, so that programs that sort names get the parts in order; other names of the same
// numbers are found, too. It lists no names if there are more than 4,096.
absl::Status list_parts(const Set& set, std::uint64_t first, const WorkBudget& budget,
                        EmitChild emit);
std::optional<Child> find_part(const Set& set, std::string_view name);

}  // namespace scidfs::fs
