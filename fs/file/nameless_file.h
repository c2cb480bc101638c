// Files without a name: no other program can reach them, and they vanish when their last descriptor
// is closed.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Returns an empty file on the file system of `folder`, open for reading and writing.
absl::StatusOr<Descriptor> open_nameless(const std::filesystem::path& folder);

}  // namespace scidfs::fs
