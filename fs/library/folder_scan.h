// Finds what can be shown below a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fs/file/locality.h"
#include "fs/file/time.h"
#include "fs/library/source_format.h"

namespace scidfs::fs {

// A directory on disk. Parents come before what lies in them.
struct ScannedFolder {
  std::filesystem::path path;
  std::string relative;      // to the source; empty for the source itself
  std::size_t parent = 0;    // index among the folders
  bool has_content = false;  // something shown, or refused, here or below
  FileTime mtime;
  bool is_remote = false;  // see fs/file/locality.h
  // Files in it are links, or have other names: they may change without a word about these.
  bool has_links = false;
  std::vector<std::string> refused{};  // "name: why"
  // Links to folders that are not looked into, and why: nothing of them is missing, or nobody has
  // asked for it.
  struct Link {
    std::string name;
    std::string why;
  };
  std::vector<Link> links{};
};

struct ScannedFile {
  std::filesystem::path path;
  std::string relative;    // to the source
  std::string name;        // under which it is shown
  std::size_t folder = 0;  // index among the folders
  const SourceFormat* format = nullptr;
};

struct FolderScan {
  std::vector<ScannedFolder> folders;  // the source first; each folder's by name
  std::vector<ScannedFile> files;      // by path
  std::vector<std::string> unlisted;   // folders that cannot be listed, relative to the source
  std::string not_followed{};  // of a link that was looked along to no folder of its own: why
};

// The path under which a file is known, relative to the source: its folder and the name under which
// it is shown.
std::string shown_path(const std::string& relative, const std::string& name);

// What is looked at, and how.
struct ScanOptions {
  bool follow_links = false;
  SourceFormats formats;  // outlive the scan
  // Where the source is mounted: never looked into, since the answers come from here. Canonical;
  // empty: nowhere.
  std::filesystem::path mountpoint{};
  Locality distance = Locality::Auto;
  // Has a look at a folder, or along a link, that lies or leads to another file system, of which
  // nobody knows whether it answers: `look` does it. Null: by calling `look`.
  std::function<FolderScan(const std::string& relative, std::function<FolderScan()> look)>
      elsewhere{};
};

// So many folders below each other are looked into; what lies deeper is told of.
inline constexpr unsigned kMaxDepth = 64;

// Looks into `source` and everything below. Leaves out folders and files whose names begin with a
// dot: old versions, waste bins and the like of other programs. Links that lead out of `source`, to
// files or folders, are followed with `follow_links` alone. A link to a folder that is shown itself
// is never followed, and along one link each folder is looked into once: whatever circles links
// make, they come to an end. A folder that cannot be listed counts as empty and is among those
// refused; the log says so.
FolderScan scan_folders(const std::filesystem::path& source, const ScanOptions& options);

enum class Updated { Same, Changed, Unknown };
// Looks at one path of a scan again, as a scan would find it: `shown` is that of a file, or of a
// folder. Unknown: only another scan can tell what has happened there.
Updated update_scan(const std::filesystem::path& source, const std::string& shown,
                    SourceFormats formats, FolderScan& found);

}  // namespace scidfs::fs
