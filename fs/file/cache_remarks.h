// What status.txt says about the cache folder.
#pragma once

#include <string>
#include <vector>

namespace scidfs::fs {

// Remarks of the process on files that it does not keep, and which it would keep if the user
// changed something. The log has them whenever it happens, this each but once, and only the last
// few. Thread-safe.
void add_cache_remark(const std::string& remark);
std::vector<std::string> cache_remarks();

}  // namespace scidfs::fs
