// The databases of a catalog as repertoires for each other.
#pragma once

#include <cstdint>
#include <span>

#include "fs/library/mounted_version.h"
#include "fs/repertoire/sources.h"

namespace scidfs::fs {

// Returns those of the versions that are databases or PGN files, by path.
RepertoireSources::ByPath repertoires_of(std::span<const MountedVersionPtr> versions);

// Returns whether a version has been asked about a repertoire that has changed since.
inline bool is_outdated(const MountedVersionPtr& version) {
  return version != nullptr && version->repertoires != nullptr &&
         version->repertoires->are_outdated();
}

// Returns the fingerprint of a version whose files have the fingerprint `of_files`, after it was
// replaced so many times since repertoires have changed: another one each time.
std::uint64_t fingerprint_after(std::uint64_t of_files, std::uint64_t changes);

}  // namespace scidfs::fs
