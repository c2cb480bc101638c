// Where the index files and positions files of databases are: in the cache folder, with a bound on
// their bytes.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "fs/database/database_options.h"
#include "fs/file/section_file.h"

namespace scidfs::fs {

// Returns the path of the file of a thing, which tells it from all others with this extension.
std::filesystem::path index_path_of(const DatabaseOptions& options, std::string_view thing,
                                    std::string_view extension);

// Such a file of a database.
struct IndexFolderFile {
  std::filesystem::path path;
  std::string name;                   // for users
  std::filesystem::path companion{};  // a file that makes no room for it, and may be missing
};

// Returns whether all files may take so many bytes: DatabaseOptions::index_bytes.
bool may_take(std::uint64_t bytes, const DatabaseOptions& options);

// Saves a file, unless all of them together would then take more than that: the least recently used
// ones are removed first. Errors: those of save_sections().
absl::Status save_in_room(const IndexFolderFile& file, const SectionImage& image,
                          const DatabaseOptions& options, absl::FunctionRef<bool()> is_cancelled);

// Makes it one of the cache_remarks() that a file has no room.
void note_no_room(const IndexFolderFile& file);

}  // namespace scidfs::fs
