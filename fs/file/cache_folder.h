// Where the program keeps files of its own between runs.
#pragma once

#include <filesystem>

namespace scidfs::fs {

// The folder for them if nobody names one: `$XDG_CACHE_HOME/scidfs`, else `$HOME/.cache/scidfs`.
// Variables that are not absolute paths count as not set.
//
// A program that is started for somebody else (a `user` mount of fstab, sudo) may have the HOME of
// whoever started it, where it must not or should not write. If the folder that HOME names belongs
// to another user than the effective one, the home in the password database counts, if it is there
// and the effective user's. Empty if there is no such folder. Asks the password database: to be
// called before the program confines itself. Makes nothing.
std::filesystem::path default_cache_folder();

}  // namespace scidfs::fs
