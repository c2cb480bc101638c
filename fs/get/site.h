// Copies pages into a folder that any web server serves.
#pragma once

#include <filesystem>
#include <string>

#include "fs/base/exit_code.h"
#include "fs/base/progress.h"
#include "fs/file/file_maker.h"
#include "fs/get/copy_target.h"
#include "fs/get/tree_reader.h"

namespace scidfs::fs {

// Copies the pages of the directory at `path` and of all directories listed below it, with the
// pictures, styles and scripts beside them, into `folder`, but not search/, of which a page is a
// form. A link to something else becomes plain
// text (fs/pages/static_page.h), and so does one above the directory. Files of the source itself,
// such as those in an archive, are not copied: they could contain anything. For the rest see
// copy_paths(). REQUIRES: listings have pages (PagesMode::Listed).
ExitCode copy_site(const TreeReader& reader, const std::string& path,
                   const std::filesystem::path& folder, const CopyOptions& options,
                   const FileMaker& maker, const Progress& progress);

}  // namespace scidfs::fs
