// Files that have no name: gone when nobody has them open any more, and out of everybody's reach.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// An empty file on the file system of `folder`, for reading and writing.
absl::StatusOr<Descriptor> open_nameless(const std::filesystem::path& folder);

}  // namespace scidfs::fs
