// Tells from the times of files whether a program may still be writing them.
#pragma once

#include <chrono>

#include "fs/library/source_format.h"

namespace scidfs::fs {

// Returns whether any later write will show in the stamps.
bool is_settled(const SourceStamps& stamps);

// Returns the time since the last change of any kind, by this machine's clock. 0 for times in the
// future.
std::chrono::milliseconds time_since_change(const SourceStamps& stamps);

}  // namespace scidfs::fs
