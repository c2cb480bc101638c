// For a WorkBudget that is never cancelled.
#pragma once

namespace scidfs::fs {

inline bool never() { return false; }

}  // namespace scidfs::fs
