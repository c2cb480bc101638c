// Where the index files of databases are: in the cache folder, with a bound on their bytes.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <filesystem>
#include <string_view>

#include "fs/database/database_options.h"
#include "fs/file/section_file.h"

namespace scidfs::fs {

// Returns the path of the index file of a thing, which tells it from all others in the folder.
std::filesystem::path index_path_of(const DatabaseOptions& options, std::string_view thing);

// Saves an index file, unless all index files together would then take more than
// DatabaseOptions::index_bytes: the least recently used ones are removed first. Errors: those of
// save_sections().
absl::Status save_in_room(const std::filesystem::path& path, const SectionImage& image,
                          const DatabaseOptions& options, absl::FunctionRef<bool()> is_cancelled);

}  // namespace scidfs::fs
