// Tells one build of the program from another.
#pragma once

#include <cstdint>

namespace scidfs::fs {

// Returns a hash of the build ID that the linker gave to the running program (NT_GNU_BUILD_ID);
// 0 if it has none. Programs of the same bytes have the same.
std::uint64_t program_id();

}  // namespace scidfs::fs
