// How many files this process may have open, and how many of them it leaves free.
//
// A mount lives as long as it can open files: one for each of its threads, for what it keeps in the
// cache folder, to look for databases. So the files of databases, which are many and stay open,
// never take the last descriptors.
#pragma once

#include <cstdint>

namespace scidfs::fs {

// What RLIMIT_NOFILE says now.
std::uint64_t most_descriptors();
// How many of them are for the mount itself: a quarter, at most 128.
std::uint64_t reserved_descriptors();

// Whether a descriptor is one of the reserve. REQUIRES: it is new. The kernel always gives the
// lowest number that is free, so that a number says how many files are open at least, whoever
// opened them.
bool is_in_reserve(int descriptor);

}  // namespace scidfs::fs
