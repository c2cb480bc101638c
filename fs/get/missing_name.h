// Names that a user may have meant by one that is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fs/get/tree_reader.h"

namespace scidfs::fs {

// The path of the top of the tree.
inline constexpr std::string_view kTopPath = ".";

// Returns the path of an entry of a directory.
std::string path_below(const std::string& directory, std::string_view name);

// A name that a directory does not have.
struct MissingName {
  std::string path;  // of the directory, from the top of the tree
  Inode directory = 0;
  std::string name;
  std::string next{};  // the name that should follow it; empty: none
};

// Returns the nearest names, or paths from the top, best first; none if all are far. Looks at what
// the directory lists, as far as that is not too long, and at what it answers besides.
std::vector<std::string> names_meant(const TreeReader& reader, const MissingName& missing);

}  // namespace scidfs::fs
