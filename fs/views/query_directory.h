// Directories of queries.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/search/query.h"
#include "fs/search/query_context.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Returns the directory of a query under a name. If the query is too long, adds it to the rejected
// names and returns a child with a refusal. If it is invalid for any other reason, returns nothing.
std::optional<Child> query_directory(const Version& version, absl::StatusOr<Query> query,
                                     std::string_view name);
// Returns what tells the query of a place from another one with its number; 0 for other places.
std::uint64_t query_identity(QueryContext& searches, LocalId place);

}  // namespace scidfs::fs
