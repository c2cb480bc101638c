// The data that a container and the library exchange about the databases in the container.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fs/base/inode.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A database in a container, described as if its files lay on disk.
struct InnerDatabase {
  std::string name;                  // of its directory
  LocalId parent{};                  // the directory of the container that holds it
  std::string folder;                // the same as a path; empty: the container's own
  std::filesystem::path index_path;  // in `origin`
  FileOrigin origin;
};

// What the library shows of the databases of a container.
struct ContainerView {
  std::string path;  // of the container, relative to the source; empty: it is the source
  // By database: whether it is shown; and its line in info.txt, if it has one: "1,234 games,
  // damaged", or the reason why it is refused.
  struct Inner {
    bool is_shown = false;
    std::string line;
  };
  std::vector<Inner> inner{};
};

}  // namespace scidfs::fs
