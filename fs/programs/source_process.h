// What the processes that show a source do before and when they open it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>
#include <memory>

#include "fs/library/library.h"
#include "fs/options/mount_options.h"
#include "fs/reference/data_files.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

// Lets this process open as many files as it may: each database keeps two open.
void raise_file_limit();

// Sets up a process that will show a source: raise_file_limit(); no later file becomes standard
// input, output or error output; memory goes back to the system. REQUIRES: no other thread.
void prepare_process();

// Returns a folder for files of this program that no other user may enter: $TMPDIR/scidfs-UID.
// Empty if there is none.
std::filesystem::path temporary_folder();

// Returns the paths that such a process opens after the sandbox is locked.
OpenPaths paths_of_source(const MountOptions& options);

// Opens the source and the cache folder, whose problems are warnings.
absl::StatusOr<std::unique_ptr<Library>> open_source(MountOptions& options, DataFiles& data_files);

}  // namespace scidfs::fs
