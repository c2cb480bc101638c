// Prints what paths lead to: names, or bytes.
#pragma once

#include <string>
#include <vector>

#include "fs/base/exit_code.h"
#include "fs/get/output.h"
#include "fs/get/tree_reader.h"

namespace scidfs::fs {

struct ListOptions {
  bool is_long = false;            // mode, size, time and name
  bool marks_directories = false;  // by a slash after the name
  bool is_recursive = false;
  bool is_for_terminal = false;  // names are printable()
};

// Print what `paths` (fs/get/path_finder.h) lead to; for list_paths() none is the top. Each path
// that fails is an error in the log, and the others follow. Return Failed if one did; print_files()
// else Damaged if a game in a file is damaged, which the log says of each file. End early when the
// output has failed, which its caller reports.
//
// list_paths() prints as ls(1) does in the C locale: files first, and a heading for each directory
// if there may be several.
ExitCode list_paths(const TreeReader& reader, std::vector<std::string> paths,
                    const ListOptions& options, Output& output);
ExitCode print_files(const TreeReader& reader, const std::vector<std::string>& paths,
                     Output& output);

}  // namespace scidfs::fs
