// The page of a folder of the source.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace scidfs::fs {

// An entry of a folder: a directory, with what info.txt says of it.
struct FolderEntry {
  std::string_view name;
  std::string words;  // empty: none
};

// Returns the page of a folder. `is_mount_point`: nothing lies above it.
std::string folder_page(std::string_view title, bool is_mount_point,
                        std::span<const FolderEntry> entries, std::string_view info);

// Returns robots.txt of the mount point, which keeps crawlers to databases, players, events and
// years: there are more positions and searches than a crawler can fetch.
std::string robots_text();

}  // namespace scidfs::fs
