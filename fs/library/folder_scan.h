// Finds the files and folders to show below a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fs/file/locality.h"
#include "fs/file/time.h"
#include "fs/library/refusal.h"
#include "fs/library/source_format.h"

namespace scidfs::fs {

// A directory on disk. In a list, parents come before their children.
struct ScannedFolder {
  std::filesystem::path path;
  std::string relative;      // to the source; empty for the source itself
  std::size_t parent = 0;    // index among the folders
  bool has_content = false;  // a file here or below is shown or refused
  FileTime mtime;
  bool is_remote = false;  // see fs/file/locality.h
  // Whether files in it are links or have other names (hard links): their changes may go
  // unreported.
  bool has_links = false;
  std::vector<Refusal> refused{};
  // Links to folders that the scan does not follow, and why. Either their content is shown
  // elsewhere or the user has not asked for it.
  struct Link {
    std::string name;
    std::string why;
  };
  std::vector<Link> links{};
};

struct ScannedFile {
  std::filesystem::path path;
  std::string relative;    // to the source
  std::string name;        // as the mount shows it
  std::size_t folder = 0;  // index among the folders
  const SourceFormat* format = nullptr;
};

struct FolderScan {
  std::vector<ScannedFolder> folders;  // the source first; subfolders sorted by name
  std::vector<ScannedFile> files;      // sorted by path
  std::vector<std::string> unlisted;   // folders that cannot be listed, relative to the source
  std::string not_followed{};          // why the scan did not follow the link that it began with
};

// Returns the path that identifies a file, relative to the source: its folder and its name in the
// mount.
std::string shown_path(const std::string& relative, const std::string& name);

// What a scan reads, and how.
struct ScanOptions {
  bool follow_links = false;
  SourceFormats formats;  // outlive the scan
  // Where the source is mounted. The scan never enters it, since this process answers there.
  // Canonical; empty: nowhere.
  std::filesystem::path mountpoint{};
  Locality locality = Locality::Auto;
  // Scans a folder or a link on another file system, which may hang, by calling `look`. Null: the
  // scan calls `look` directly.
  std::function<FolderScan(const std::string& relative, std::function<FolderScan()> look)>
      elsewhere{};
};

// A scan descends this many levels; it reports deeper folders.
inline constexpr unsigned kMaxDepth = 64;

// Scans `source` and everything below. Skips files and folders whose names begin with a dot: old
// versions, waste bins and the like of other programs. Follows links that lead out of `source` only
// with `follow_links`. Never follows a link to a folder that is shown itself, and enters each
// folder at most once along one link, so circular links come to an end. Treats a folder that cannot
// be listed as empty, adds it to the refused ones and logs it.
FolderScan scan_folders(const std::filesystem::path& source, const ScanOptions& options);

enum class Updated { Same, Changed, Unknown };
// Scans one path again, with the same result as a full scan: `shown` is the path of a file or a
// folder. Returns Unknown if only a full scan can tell what has changed there.
Updated update_scan(const std::filesystem::path& source, const std::string& shown,
                    SourceFormats formats, FolderScan& found);

}  // namespace scidfs::fs
