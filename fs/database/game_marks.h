// The marks of all games of a database, for searches.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <vector>

#include "codec/scid/marks.h"
#include "fs/content/effort.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {

// Reads them from the index file, on all processors if the effort is whole. The marks of blocks
// that cannot be read tell nothing (codec::scid::kNoMarks), so that their games are replayed.
// Errors: Unavailable if there are so many that it would take more than the effort allows;
// Cancelled.
absl::StatusOr<std::shared_ptr<const std::vector<codec::scid::GameMarks>>> read_marks(
    const IndexFile& file, const Effort& effort);

}  // namespace scidfs::fs
