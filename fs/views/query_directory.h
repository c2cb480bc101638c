// Directories that stand for questions.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/search/query.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// The directory of a question, under a name. What is too long is noted among the refusals, and a
// child with a refusal; nothing, if it is no question for any other reason.
std::optional<Child> query_directory(const Version& version, absl::StatusOr<Query> query,
                                     std::string_view name);

}  // namespace scidfs::fs
