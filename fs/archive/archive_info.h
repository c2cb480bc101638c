// What can be said of an archive: info.txt, one line for its folder, what is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fs/archive/archive_file.h"
#include "fs/archive/archive_layout.h"

namespace scidfs::fs {

// When a member was changed last, if what it says of that is between 1970 and tomorrow.
std::optional<std::int64_t> credible_time(const codec::scv::Member& member);

std::string archive_summary(const ArchiveFile& archive, const ArchiveLayout& layout);
// A line each.
std::vector<std::string> archive_problems(const ArchiveFile& archive, const ArchiveLayout& layout);
// `key: value` lines for info.txt: all members with their sizes and times, good, damaged and
// elsewhere.
std::string archive_info(const ArchiveFile& archive, const ArchiveLayout& layout,
                         const std::vector<std::string>& problems);

}  // namespace scidfs::fs
