// Hidden names of files that are being written: where they lie until they are complete, and which
// of them were left by writers that are gone.
#pragma once

#include <absl/functional/function_ref.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Creates and locks an empty file beside `path` under a unique name, which it returns in `aside`.
// Not ok, with errno set, on failure.
Descriptor open_aside(const std::filesystem::path& path, mode_t mode, std::string& aside);

// Locks a file if it is a regular one that no writer has open. Returns whether it did.
bool lock_abandoned(const Descriptor& file);

struct AbandonedFile {
  std::filesystem::path path;
  Descriptor file;  // locked: no other process considers it abandoned
};

// Returns the unfinished files of a folder whose writers were killed: only files for whose final
// names `is_ours` returns true. Where the file system has no locks, there are none.
std::vector<AbandonedFile> abandoned_files(const std::filesystem::path& folder,
                                           absl::FunctionRef<bool(std::string_view name)> is_ours);

// Removes those of these files that have no other name. A writer that still runs, in any process,
// loses nothing.
void remove_abandoned(const std::filesystem::path& folder,
                      absl::FunctionRef<bool(std::string_view name)> is_ours);

}  // namespace scidfs::fs
