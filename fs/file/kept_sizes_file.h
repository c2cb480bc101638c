// The files of the cache folder that save sizes of games between mounts. cache/kept_sizes.h has
// their format.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// The extension of these files.
inline constexpr std::string_view kSizesExtension = ".sizes";

// Reads the sizes stored at `path`. The program uses them without another look at the games, and
// their checksum is no secret: so the file and its folder must belong to the effective user, and
// neither the group nor others may write to them.
//
// Returns NotFound if there is no such file; FailedPrecondition if it has another key or layout;
// DataLoss if another user may have written it (for a folder the message names only the folder), or
// if it is damaged in any way (length, checksum, `count`). Never allocates more than `count` sizes;
// without a count, as many as the file has.
absl::StatusOr<std::vector<std::uint32_t>> load_sizes(const std::filesystem::path& path,
                                                      std::uint64_t key,
                                                      std::optional<std::size_t> count);

// Saves these sizes in a file at `path`, accessible only to its owner, and replaces any file there.
// A reader sees either the old file or the whole new one. Creates missing folders (mode 0700).
absl::Status save_sizes(const std::filesystem::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> sizes);

// Removes the unfinished files of writers that were killed in save_sizes() from a cache folder.
void remove_abandoned_sizes(const std::filesystem::path& folder);

}  // namespace scidfs::fs
