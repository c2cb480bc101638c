// How scidfs-import knows the databases that it wrote: it appends to no other ones.
//
// The signature is an extended attribute of the index: so it appears with the index, moves with it,
// and is lost by programs that write the index anew. It has size, time and checksum of each of the
// three files, and of the index that it replaced.
//
// The index gets its name last. An import that is killed before leaves it under its hidden name
// (file/aside.h), and its signature tells that game file and name file are of this import: beside
// no index, they belong to no database; beside the index that was to be replaced, they begin with
// what it had.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

#include "fs/file/new_file.h"

namespace scidfs::fs {

// Signs a complete database, which replaces the one at `old_index_path`; empty: none. Where the
// file system keeps no attributes, there is no signature. Errors: those of reading the files.
absl::Status sign(NewFile& index, NewFile& games, NewFile& names,
                  const std::filesystem::path& old_index_path);

// Returns OK if the files of a database are those that were signed, or those of an append to it
// that was killed. FailedPrecondition tells what is different; other errors: a file cannot be read.
absl::Status check_signature(const std::filesystem::path& index_path);

// Removes game file and name file of an import that was killed before its index had its name.
// Leaves all files of other programs, of imports that still run, and of databases with an index.
void remove_interrupted(const std::filesystem::path& index_path);

}  // namespace scidfs::fs
