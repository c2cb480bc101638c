// Files of sets whose names have bounds, in a directory of the set: `book/plies=40,games=5.bin`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "fs/base/file_bounds.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// The files of one directory of a set.
struct BoundedFiles {
  std::string_view directory;
  std::string_view suffix;
  SetEntry file{};  // the entry of each, and of the set's file without bounds
  std::span<const FileBound> bounds;
};

// Returns a file of a set with bounds in its name as a child: `canonical` is its one name, `name`
// that by which it was found.
std::optional<Child> bounded_file(const Set& set, std::string_view directory, SetEntry file,
                                  std::string_view canonical, std::string_view name);

// Finds a file by its name. It belongs to a query, which is the set with the bounds
// (asked_with_bounds()): all names with the same bounds lead to the same file. A name with a wrong
// bound is added to the rejected names.
std::optional<Child> find_bounded_file(const Set& set, const BoundedFiles& files,
                                       std::string_view name);

// Returns the bounds in the name of the file that is opened from `set`; each is nothing for the
// file without bounds.
FileBounds bounds_of(const Set& set, const BoundedFiles& files);

}  // namespace scidfs::fs
