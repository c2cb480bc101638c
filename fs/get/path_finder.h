// Finds what a path of a command line leads to, as the kernel and a shell do on a mount.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <string>
#include <string_view>

#include "fs/get/missing_name.h"
#include "fs/get/tree_reader.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// A file or a directory.
struct FoundPath {
  std::string path;  // from the top of the tree, without slashes at its ends; the top: "."
  Attributes attributes;
  bool is_live = false;  // TreeReader::is_live()
};

// Takes a path from the top of the tree. Slashes at its beginning and repeated ones mean nothing;
// with one at its end it means a directory. A name that the tree knows as it stands, listed or not,
// means that entry; in any other, `*`, `?` and `[...]` match the names
// that the directory lists, as in a shell (fnmatch(3); not a dot at the beginning).
//
// Calls `visit` with everything found, by wildcards in the order of names. Errors are texts for the
// user, without the path: NotFound if nothing is there; InvalidArgument for a path with `..`.
absl::Status find_path(const TreeReader& reader, std::string_view path, UnknownSize unknown,
                       absl::FunctionRef<void(const FoundPath&)> visit);

}  // namespace scidfs::fs
