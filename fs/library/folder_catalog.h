// Makes a catalog of a folder of the source and everything below it.
#pragma once

#include <cstdint>
#include <memory>

#include "fs/database/database_options.h"
#include "fs/library/catalog.h"
#include "fs/library/folder_scan.h"
#include "fs/library/versions.h"

namespace scidfs::fs {

// Returns a scanned file as a candidate for Versions. `slot`: of its folder.
Candidate candidate_of(const FolderScan& found, const ScannedFile& file, std::uint16_t slot);

// Asks for the newest version of everything in `found` and puts it into its folders. The root is
// the source itself.
std::shared_ptr<Catalog> make_folder_catalog(const FolderScan& found, Versions& versions,
                                             std::uint32_t generation, PagesMode pages,
                                             TogetherMode together);

}  // namespace scidfs::fs
