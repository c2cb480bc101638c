// Tells texts that one version of the program makes from those of another.
#pragma once

#include <cstdint>

namespace scidfs::fs {

// Returns a hash of the source of the program (scripts/source-id). All programs of one build have
// the same.
std::uint64_t source_id();

}  // namespace scidfs::fs
