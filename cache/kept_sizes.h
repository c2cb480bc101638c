// The bytes of a file that saves the sizes of all games of a database between mounts.
//
// Layout (little-endian): magic "scidfsSZ", u32 layout version, u32 number of sizes, u64 key, u64
// checksum (XXH3) of the sizes, u64 checksum of this header, then the sizes as u32 each. The
// checksums find damage, not forgery: the reader must check who may write such a file.
#pragma once

#include <absl/status/status.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scidfs::cache {

inline constexpr std::size_t kKeptSizesHeaderSize = 40;
using KeptSizesHeader = std::array<std::uint8_t, kKeptSizesHeaderSize>;

// The most sizes that a file has room for.
inline constexpr std::size_t kMostKeptSizes = 0xFFFF'FFFF;

// Converts sizes from the byte order of this machine to that of the file, or back. Does nothing on
// little-endian machines.
void swap_kept_sizes(std::span<std::uint32_t> sizes);

// Returns the header of a file that continues with `sizes`, which are in the byte order of the
// file. REQUIRES: at most kMostKeptSizes.
KeptSizesHeader kept_sizes_header(std::uint64_t key, std::span<const std::uint32_t> sizes);

// Checks that a file of `file_size` bytes that starts with `header` (fewer bytes only if the file
// has no more) has `count` sizes for `key`. FailedPrecondition if it is for another key or layout,
// DataLoss if it is damaged in any way that shows here. Messages contain only the reason.
absl::Status check_kept_sizes_header(std::span<const std::uint8_t> header, std::uint64_t key,
                                     std::size_t count, std::uint64_t file_size);

// Checks that `sizes`, in the byte order of the file, are those that a good header was written for;
// DataLoss if not.
absl::Status check_kept_sizes(const KeptSizesHeader& header, std::span<const std::uint32_t> sizes);

}  // namespace scidfs::cache
