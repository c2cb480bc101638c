// Directories that stand for questions.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/sets/questions.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// What is asked of the set whose directory is `set`, by `path` from there. Nothing if the set is a
// question itself that has been forgotten.
std::optional<Question> narrower(const Version& version, Place set, std::string path,
                                 FacetGroup group);

// The directory of a question, under a name. ResourceExhausted as Questions::number_of().
absl::StatusOr<Child> question_directory(const Version& version, Question question,
                                         std::string_view name);

}  // namespace scidfs::fs
