// The files of the cache folder in which sizes of games are kept between mounts. What is in them:
// cache/kept_sizes.h.
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

// What the names of these files end in.
inline constexpr std::string_view kSizesExtension = ".sizes";

// Reads the sizes stored at `path`. Sizes are believed without another look at the games, and their
// checksum is no secret: so the file and its folder must belong to the effective user, and neither
// the group nor others may write to them.
//
// NotFound if there is no such file; FailedPrecondition if it is of another key or layout; DataLoss
// if somebody else may have written it (of a folder the message names the folder alone), or if it
// is damaged in any way (length, checksum, `count`). Never allocates more than `count` sizes;
// without a count, as many as the file has.
absl::StatusOr<std::vector<std::uint32_t>> load_sizes(const std::filesystem::path& path,
                                                      std::uint64_t key,
                                                      std::optional<std::size_t> count);

// Puts a file with these sizes at `path`, for its owner alone, in the place of any that is there. A
// reader sees either the old file or the whole new one. Makes missing folders (mode 0700).
absl::Status save_sizes(const std::filesystem::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> sizes);

// Removes from a cache folder what writers left there that were killed in the middle of
// save_sizes().
void remove_abandoned_sizes(const std::filesystem::path& folder);

}  // namespace scidfs::fs
