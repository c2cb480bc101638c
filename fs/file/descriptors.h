// How many files this process may open, and how many of them it reserves.
//
// A mount works only while it can open files: one for each of its threads, for its files in the
// cache folder, and to look for databases. So the files of databases, which are many and stay open,
// never take the last descriptors.
#pragma once

#include <cstdint>

namespace scidfs::fs {

// Returns the current RLIMIT_NOFILE.
std::uint64_t most_descriptors();
// Returns how many descriptors are reserved for the mount itself: a quarter, at most 128.
std::uint64_t reserved_descriptors();

// Returns whether a descriptor belongs to the reserve. REQUIRES: it is new. The kernel always gives
// the lowest free number, so a number tells the minimum count of open files, no matter which code
// opened them.
bool is_in_reserve(int descriptor);

}  // namespace scidfs::fs
