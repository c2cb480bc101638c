// How scidfs-import knows the databases that it wrote: it appends to no other ones.
//
// The signature is an extended attribute of the index: so it appears with the index, moves with it,
// and is lost by programs that write the index anew. It has size, time and checksum of each of the
// three files.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

#include "fs/file/new_file.h"

namespace scidfs::fs {

// Signs a complete database. Where the file system keeps no attributes, there is no signature.
// Errors: those of reading the files.
absl::Status sign(NewFile& index, NewFile& games, NewFile& names);

// Returns OK if the files of a database are those that were signed. FailedPrecondition tells what
// is different; other errors: a file cannot be read.
absl::Status check_signature(const std::filesystem::path& index_path);

}  // namespace scidfs::fs
