// Where the program keeps its own files between runs.
#pragma once

#include <filesystem>

namespace scidfs::fs {

// Returns the default cache folder: `$XDG_CACHE_HOME/scidfs`, else `$HOME/.cache/scidfs`. Variables
// that are not absolute paths count as not set.
//
// A program that runs for another user (a `user` mount of fstab, sudo) may have the HOME of the
// user who started it, where it cannot or should not write. If the folder that HOME names does not
// belong to the effective user, the home in the password database counts, if it exists and belongs
// to the effective user. Returns an empty path if there is no such folder. Reads the password
// database: the caller must call this before the program confines itself. Creates nothing.
std::filesystem::path default_cache_folder();

}  // namespace scidfs::fs
