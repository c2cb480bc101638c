// Files that belong together by their names, in lower case or upper case: FAT and DOS write
// MEGA.SI4, MEGA.SG4 and MEGA.SN4, and copies mix both.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns the file with this path and an ending, which the caller gives in lower case. Of several
// existing files, prefers the one with capitals where the ending `like` has them (".SI4" makes
// ".SG4" of ".sg4"), then lower case, then upper case. If none exists, the path is as `like` has
// it.
std::filesystem::path with_ending(const std::filesystem::path& stem, std::string_view ending,
                                  std::string_view like);

// Returns the file with another ending that belongs to `index`. It has the same name, as
// with_ending() finds it, or, if there is none, that name in lower or upper case. A file beside an
// index with exactly the same name belongs only to that index. If there is no such file, returns
// the path that it would have.
std::filesystem::path companion_of(const std::filesystem::path& index, std::string_view ending);

}  // namespace scidfs::fs
