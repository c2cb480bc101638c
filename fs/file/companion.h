// Files that belong together by their names, in small letters or in capitals: FAT and DOS write
// MEGA.SI4, MEGA.SG4 and MEGA.SN4, and copies have some names in the one and some in the other.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scidfs::fs {

// The file with this path and an ending, which is given in small letters. Of several that are there
// it is the one with capitals where the ending `like` has them (".SI4" makes ".SG4" of ".sg4"),
// else the one with small letters, else the one with capitals. If there is none, as `like` has it.
std::filesystem::path with_ending(const std::filesystem::path& stem, std::string_view ending,
                                  std::string_view like);

// The file with another ending that belongs to `index`. It has the same name, as with_ending()
// finds it, or, if there is none, that name in small letters or in capitals. A file that lies
// beside an index of its own, with its very name, belongs to that one alone. If there is none, the
// path that it would have.
std::filesystem::path companion_of(const std::filesystem::path& index, std::string_view ending);

}  // namespace scidfs::fs
