// How far long work is.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>

namespace scidfs::fs {

// Called now and then, by one thread at a time or by any: the function that takes it says so.
using Progress = absl::FunctionRef<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace scidfs::fs
