// What an archive and the library say to each other about the databases in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fs/base/inode.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A database that is in a container, as if its files lay on disk.
struct InnerDatabase {
  std::string name;                  // of its directory
  LocalId parent{};                  // the directory of the container that it stands in
  std::string folder;                // the same as a path; empty: the container's own
  std::filesystem::path index_path;  // in `origin`
  FileOrigin origin;
};

// What the library has made of a container's databases.
struct ContainerView {
  std::string path;  // of the container, relative to the source; empty: it is the source
  // By database: whether it is shown; and its line in info.txt, if it has one: "1,234 games,
  // damaged", or why it is refused.
  struct Inner {
    bool is_shown = false;
    std::string line;
  };
  std::vector<Inner> inner{};
};

}  // namespace scidfs::fs
