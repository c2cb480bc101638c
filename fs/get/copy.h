// Copies what paths lead to into a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fs/base/exit_code.h"
#include "fs/base/progress.h"
#include "fs/file/file_maker.h"
#include "fs/get/copy_target.h"
#include "fs/get/tree_reader.h"

namespace scidfs::fs {

// Copies what `paths` (fs/get/path_finder.h) lead to into `folder`, each under its own name, with
// its time; of the top all that it lists. A file appears there when it is complete. Each path that
// fails is an error in the log, and the others follow, but not after an error such as a full disk.
// Returns Failed if one did, else Damaged if a game in a file is damaged, which the log says of
// each file, also of those that an earlier copy has written. `progress` counts files. REQUIRES:
// `maker` has started below `folder`.
ExitCode copy_paths(const TreeReader& reader, const std::vector<std::string>& paths,
                    const std::filesystem::path& folder, const CopyOptions& options,
                    const FileMaker& maker, const Progress& progress);

}  // namespace scidfs::fs
