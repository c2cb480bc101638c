#include "fs/library/folder_scan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "fs/base/log.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr unsigned kMaxDepth = 64;

bool leads_outside(const stdfs::path& path, const stdfs::path& source) {
  std::error_code error;
  const stdfs::path target = stdfs::canonical(path, error);
  if (error) return true;
  const auto [end, at] = std::mismatch(source.begin(), source.end(), target.begin(), target.end());
  return end != source.end();
}

// The names in a folder, or `error`.
std::vector<stdfs::path> sorted_names(const stdfs::path& folder, std::error_code& error) {
  std::vector<stdfs::path> names;
  for (stdfs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path());
  }
  std::ranges::sort(names);
  return names;
}

// What is the same for the whole scan.
struct Bounds {
  const stdfs::path& source;
  bool follow_links;
  std::span<const TextFormat> formats;
};

void scan(const Bounds& bounds, const stdfs::path& path, const std::string& relative,
          std::size_t parent, unsigned depth, FolderScan& found) {
  const std::size_t index = found.folders.size();
  found.folders.push_back({.path = path, .relative = relative, .parent = parent});
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    found.folders[index].mtime_seconds = status.st_mtim.tv_sec;
    found.folders[index].mtime_nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec);
  }
  std::error_code error;
  const std::vector<stdfs::path> names = sorted_names(path, error);
  if (error) {
    found.unlisted.push_back(relative);
    // One that has just gone is no fault.
    if (error != std::errc::no_such_file_or_directory) {
      const std::string problem = fmt::format("Cannot list {}: {}", path.string(), error.message());
      found.folders[index].has_content = true;
      found.folders[index].refused.push_back(problem);
      log_warning(problem);
    }
  }
  for (const stdfs::path& name : names) {
    const std::string file = name.filename().string();
    const std::string below = relative.empty() ? file : fmt::format("{}/{}", relative, file);
    const stdfs::file_status kind = stdfs::symlink_status(name, error);
    if (error) continue;
    if (stdfs::is_directory(kind)) {
      if (depth == kMaxDepth) continue;
      const std::size_t child = found.folders.size();
      scan(bounds, name, below, index, depth + 1, found);
      if (found.folders[child].has_content) found.folders[index].has_content = true;
      continue;
    }
    const bool is_database = is_index_file(name);
    const TextFormat* const format = is_database ? nullptr : find_format(bounds.formats, name);
    std::optional<std::string> shown;
    if (format != nullptr) shown = format->shown_name(file);
    if (!is_database && !shown.has_value()) continue;
    found.folders[index].has_content = true;
    if (!bounds.follow_links && stdfs::is_symlink(kind) && leads_outside(name, bounds.source)) {
      found.folders[index].refused.push_back(fmt::format("{}: a link out of the source", file));
    } else if (is_database) {
      found.databases.push_back({.path = name, .relative = below, .folder = index});
    } else {
      found.texts.push_back({.path = name,
                             .relative = below,
                             .name = *std::move(shown),
                             .folder = index,
                             .format = format});
    }
  }
}

}  // namespace

FolderScan scan_folders(const stdfs::path& source, bool follow_links,
                        std::span<const TextFormat> formats) {
  FolderScan found;
  scan({.source = source, .follow_links = follow_links, .formats = formats}, source, "", 0, 0,
       found);
  return found;
}

}  // namespace scidfs::fs
