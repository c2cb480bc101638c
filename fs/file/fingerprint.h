// What tells the versions of something apart: fingerprints, and the epochs that inode numbers
// carry.
#pragma once

#include <cstdint>
#include <span>

#include "codec/pgn.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// An epoch that a version of something has had, and the fingerprint of that version.
struct UsedEpoch {
  std::uint16_t epoch = 0;
  std::uint64_t fingerprint = 0;
};

// Of a version of a file.
std::uint64_t fingerprint_of(const FileStamp& stamp, std::uint64_t seed = 0);
// Of everything besides the files that the texts of games depend on.
std::uint64_t fingerprint_of(const codec::PgnOptions& pgn);

// The epoch of a version: mostly the same after a remount; the one that it has had before if it is
// among `used`, and else none of those. `salt` is what else tells mounts apart, but not versions.
// REQUIRES: used.size() < kMaxEpoch.
std::uint16_t choose_epoch(std::uint64_t fingerprint, std::span<const UsedEpoch> used,
                           std::uint64_t salt = 0);

}  // namespace scidfs::fs
