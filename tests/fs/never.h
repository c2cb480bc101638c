// For an Effort that nobody ends.
#pragma once

namespace scidfs::fs {

inline bool never() { return false; }

}  // namespace scidfs::fs
