// The sizes of all games of a database, kept in a file between mounts.
//
// Layout (little-endian): magic "scidfsSZ", u32 layout version, u32 number of sizes, u64 key, u64
// checksum (XXH3) of the sizes, u64 checksum of this header, then the sizes as u32 each.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace scidfs::cache {

// What the names of these files end in.
inline constexpr std::string_view kSizesExtension = ".sizes";

// `$XDG_CACHE_HOME/scidfs`, else `$HOME/.cache/scidfs`; empty if neither variable is set to an
// absolute path.
std::filesystem::path default_cache_folder();

// As `mkdir -p`, for the owner alone. False, with errno set, if that cannot be done.
bool make_folders(const std::filesystem::path& folder);

// Reads the sizes stored at `path`. NotFound if there is no such file; FailedPrecondition if it is
// of another key or layout; DataLoss if it is damaged in any way (length, checksum, `count`).
// Never allocates more than `count` sizes.
absl::StatusOr<std::vector<std::uint32_t>> load_sizes(const std::filesystem::path& path,
                                                      std::uint64_t key, std::size_t count);

// Writes the sizes beside `path`, syncs, and renames the file into place, so that a reader sees
// either the old file or the whole new one. Creates missing folders (mode 0700).
absl::Status save_sizes(const std::filesystem::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> sizes);

// Removes from a cache folder what writers left there that were killed in the middle of
// save_sizes(), and nothing else. A writer that is still at work, in any process, loses nothing.
void remove_abandoned(const std::filesystem::path& folder);

// XXH3 of some bytes: for keys and fingerprints. The same on every machine and in every run.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace scidfs::cache
