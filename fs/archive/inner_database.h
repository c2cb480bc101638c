// The data that a container and the library exchange about the databases in the container.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fs/base/inode.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// Opens a file for the time that it is used, and may unpack it, which takes long; gives up with
// Cancelled when `is_cancelled` returns true. Other errors: those of SourceFile::open() and of
// unpacking.
using OpenFile =
    std::function<absl::StatusOr<SourceFile>(const std::function<bool()>& is_cancelled)>;

// A database in a container, described as if its files lay on disk; or a PGN file.
struct InnerDatabase {
  std::string name{};                  // of its directory
  LocalId parent{};                    // the directory of the container that holds it
  std::string folder{};                // the same as a path; empty: the container's own
  std::filesystem::path index_path{};  // in `origin`; or of the PGN file
  FileOrigin origin{};
  // Of a PGN file; null for a database of Scid.
  OpenFile open_pgn{};
  FileStamp stamp{};
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
