// The progress of long work.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>

namespace scidfs::fs {

// A function that is called periodically. The function that takes it says whether one thread at a
// time calls it, or several at once.
using Progress = absl::FunctionRef<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace scidfs::fs
