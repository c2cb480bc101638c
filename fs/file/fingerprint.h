// How to distinguish the versions of a source: fingerprints, and the epochs in inode numbers.
#pragma once

#include <cstdint>
#include <span>

#include "codec/pgn.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// An epoch that a version has had, and the fingerprint of that version.
struct UsedEpoch {
  std::uint16_t epoch = 0;
  std::uint64_t fingerprint = 0;
};

// Returns the fingerprint of a version of a file.
std::uint64_t fingerprint_of(const FileStamp& stamp, std::uint64_t seed = 0);
// Returns the fingerprint of everything besides the files that the texts of games depend on.
std::uint64_t fingerprint_of(const codec::PgnOptions& pgn);

// Returns the epoch of a version, which is mostly the same after a remount. Returns the epoch that
// the version has had before if it is among `used`, and otherwise none of those. `salt` is what
// else distinguishes mounts, but not versions. REQUIRES: used.size() < kMaxEpoch.
std::uint16_t choose_epoch(std::uint64_t fingerprint, std::span<const UsedEpoch> used,
                           std::uint64_t salt = 0);

}  // namespace scidfs::fs
