// Texts about an archive: info.txt, one line for its folder, its problems.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fs/archive/archive_file.h"
#include "fs/archive/archive_layout.h"

namespace scidfs::fs {

// Returns when a member was last changed, if its time is between 1970 and tomorrow.
std::optional<std::int64_t> credible_time(const codec::scv::Member& member);

std::string archive_summary(const ArchiveFile& archive, const ArchiveLayout& layout);
// Returns the problems of an archive, one per line.
std::vector<std::string> archive_problems(const ArchiveFile& archive, const ArchiveLayout& layout);
// Returns `key: value` lines for info.txt: all members with their sizes and times; good members,
// damaged ones, and those that lie elsewhere.
std::string archive_info(const ArchiveFile& archive, const ArchiveLayout& layout,
                         const std::vector<std::string>& problems);

}  // namespace scidfs::fs
