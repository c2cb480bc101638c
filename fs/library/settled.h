// What the times of files say about who may still be writing them.
#pragma once

#include <chrono>

#include "fs/library/source_format.h"

namespace scidfs::fs {

// Whether any write from now on will show in the stamps.
bool is_settled(const SourceStamps& stamps);

// How long ago the files were changed in any way, by this machine's clock. 0 for times in the
// future.
std::chrono::milliseconds time_since_change(const SourceStamps& stamps);

}  // namespace scidfs::fs
