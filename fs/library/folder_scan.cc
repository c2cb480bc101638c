#include "fs/library/folder_scan.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fs/base/log.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

bool leads_outside(const stdfs::path& path, const stdfs::path& source) {
  std::error_code error;
  const stdfs::path target = stdfs::canonical(path, error);
  return error || !is_at_or_below(target, source);
}

// What lies at a path, and the number of the file system that has it.
struct Kind {
  bool is_directory = false;
  bool is_link = false;  // or has other names
  dev_t device = 0;
};

// Asks nothing of a file system that is mounted there: it might not answer. Nothing if there is
// nothing.
std::optional<Kind> kind_of(const stdfs::path& path) {
  struct statx attributes {};
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  constexpr unsigned kWanted = STATX_TYPE | STATX_NLINK;
  if (::statx(AT_FDCWD, path.c_str(), kFlags, kWanted, &attributes) != 0) return std::nullopt;
  return Kind{.is_directory = S_ISDIR(attributes.stx_mode),
              .is_link = S_ISLNK(attributes.stx_mode) || attributes.stx_nlink > 1,
              .device = ::makedev(attributes.stx_dev_major, attributes.stx_dev_minor)};
}

FileTime mtime_of(const stdfs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return {};
  return {.seconds = status.st_mtim.tv_sec,
          .nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
}

// The names in a folder that are not hidden, or `error`.
std::vector<stdfs::directory_entry> sorted_entries(const stdfs::path& folder,
                                                   std::error_code& error) {
  std::vector<stdfs::directory_entry> entries;
  for (stdfs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().native().starts_with('.')) entries.push_back(*it);
  }
  // In one folder that is the order of paths, and much cheaper.
  std::ranges::sort(entries, {}, [](const stdfs::directory_entry& entry) -> const std::string& {
    return entry.path().native();
  });
  return entries;
}

class Scan {
 public:
  Scan(stdfs::path source, ScanOptions options)
      : source_(std::move(source)), options_(std::move(options)) {}

  // A folder and what is below it on the same file system, and by way of elsewhere() on others.
  void look_into(const stdfs::path& path, const std::string& relative, std::size_t parent,
                 unsigned depth);
  // The folder that everything is in, of which nobody knows where it is.
  void begin(const stdfs::path& path, const std::string& relative, unsigned depth);
  FolderScan take() { return std::move(found_); }

 private:
  void refuse(std::size_t folder, std::string why) {
    found_.folders[folder].has_content = true;
    found_.folders[folder].refused.push_back(std::move(why));
  }
  void look_at(const stdfs::directory_entry& entry, const std::string& relative,
               std::size_t folder);
  void add(FolderScan below, std::size_t parent);

  const stdfs::path source_;
  const ScanOptions options_;
  bool is_far_ = false;
  dev_t device_ = 0;
  FolderScan found_;
};

void Scan::begin(const stdfs::path& path, const std::string& relative, unsigned depth) {
  device_ = kind_of(path).value_or(Kind()).device;
  is_far_ = is_far(path, options_.distance);
  look_into(path, relative, 0, depth);
}

// Takes over what another scan has found below one of our folders.
void Scan::add(FolderScan below, std::size_t parent) {
  const std::size_t first = found_.folders.size();
  for (ScannedFolder& folder : below.folders) {
    folder.parent = found_.folders.size() == first ? parent : folder.parent + first;
    found_.folders.push_back(std::move(folder));
  }
  for (ScannedFile& file : below.files) {
    file.folder += first;
    found_.files.push_back(std::move(file));
  }
  for (std::string& folder : below.unlisted) found_.unlisted.push_back(std::move(folder));
}

void Scan::look_into(const stdfs::path& path, const std::string& relative, std::size_t parent,
                     unsigned depth) {
  const std::size_t index = found_.folders.size();
  found_.folders.push_back({.path = path,
                            .relative = relative,
                            .parent = parent,
                            .mtime = mtime_of(path),
                            .is_far = is_far_});
  std::error_code error;
  const std::vector<stdfs::directory_entry> entries = sorted_entries(path, error);
  if (error) {
    found_.unlisted.push_back(relative);
    // One that has just gone is no fault.
    if (error != std::errc::no_such_file_or_directory) {
      std::string problem = fmt::format("Cannot list {}: {}", path.string(), error.message());
      log_warning(problem);
      refuse(index, std::move(problem));
    }
  }
  for (const stdfs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    const std::string below = relative.empty() ? name : fmt::format("{}/{}", relative, name);
    const std::optional<Kind> kind = kind_of(entry.path());
    if (!kind.has_value()) continue;
    if (!kind->is_directory) {
      if (kind->is_link && is_part_of_any(options_.formats, entry.path())) {
        found_.folders[index].has_links = true;
      }
      look_at(entry, below, index);
    } else if (depth == kMaxDepth) {
      std::string problem =
          fmt::format("Cannot look into {}: more than {} folders above each other",
                      entry.path().string(), kMaxDepth);
      log_warning(problem);
      refuse(index, std::move(problem));
    } else {
      const std::size_t child = found_.folders.size();
      if (kind->device == device_) {
        look_into(entry.path(), below, index, depth + 1);
      } else {
        auto look = [source = source_, options = options_, path = entry.path(), below,
                     depth]() mutable {
          // What lies below that is looked at with it.
          options.elsewhere = nullptr;
          Scan scan(source, options);
          scan.begin(path, below, depth + 1);
          return scan.take();
        };
        add(options_.elsewhere == nullptr ? look() : options_.elsewhere(below, look), index);
      }
      if (child < found_.folders.size() && found_.folders[child].has_content) {
        found_.folders[index].has_content = true;
      }
    }
  }
}

void Scan::look_at(const stdfs::directory_entry& entry, const std::string& relative,
                   std::size_t folder) {
  const SourceFormat* const format = find_format(options_.formats, entry.path());
  if (format == nullptr) return;
  const std::string file = entry.path().filename().string();
  std::optional<std::string> shown = format->shown_name(file);
  if (!shown.has_value()) return;
  std::error_code error;
  if (!options_.follow_links && entry.is_symlink(error) && leads_outside(entry.path(), source_)) {
    refuse(folder, fmt::format("{}: a link out of the source", file));
    return;
  }
  found_.folders[folder].has_content = true;
  found_.files.push_back({.path = entry.path(),
                          .relative = relative,
                          .name = *std::move(shown),
                          .folder = folder,
                          .format = format});
}

// What has content is what has files, or folders with content.
void count_content(FolderScan& found) {
  for (ScannedFolder& folder : found.folders) folder.has_content = !folder.refused.empty();
  for (const ScannedFile& file : found.files) found.folders[file.folder].has_content = true;
  for (std::size_t i = found.folders.size(); i-- > 1;) {
    if (found.folders[i].has_content) found.folders[found.folders[i].parent].has_content = true;
  }
}

}  // namespace

std::string shown_path(const std::string& relative, const std::string& name) {
  return relative.substr(0, relative.rfind('/') + 1) + name;
}

FolderScan scan_folders(const stdfs::path& source, const ScanOptions& options) {
  Scan scan(source, options);
  scan.begin(source, "", 0);
  return scan.take();
}

Updated update_scan(const stdfs::path& source, const std::string& shown, SourceFormats formats,
                    FolderScan& found) {
  const std::size_t slash = shown.rfind('/');
  const std::string above = shown.substr(0, slash == std::string::npos ? 0 : slash);
  const auto folder = std::ranges::find(found.folders, above, &ScannedFolder::relative);
  if (folder == found.folders.end()) return Updated::Unknown;
  if (folder->is_far) return Updated::Same;
  const stdfs::path path = source / shown;
  const std::optional<Kind> kind = kind_of(path);
  const bool was_folder =
      std::ranges::find(found.folders, shown, &ScannedFolder::relative) != found.folders.end();
  const bool is_folder = kind.has_value() && kind->is_directory;
  if (is_folder != was_folder) return Updated::Unknown;
  const SourceFormat* const format = find_format(formats, path);
  if (is_folder || format == nullptr) return Updated::Same;
  const auto place = std::ranges::lower_bound(found.files, path, {}, &ScannedFile::path);
  const bool was_there = place != found.files.end() && place->relative == shown;
  const bool is_new_link = kind.has_value() && kind->is_link && !folder->has_links;
  if (was_there == kind.has_value() && !is_new_link) return Updated::Same;
  // The name may not be that of a file, or the file may be elsewhere.
  if (format->name_of != nullptr || is_new_link || folder->has_links) return Updated::Unknown;
  if (was_there) {
    found.files.erase(place);
  } else {
    const auto index = static_cast<std::size_t>(folder - found.folders.begin());
    found.files.insert(place, {.path = path,
                               .relative = shown,
                               .name = path.filename().string(),
                               .folder = index,
                               .format = format});
  }
  folder->mtime = mtime_of(folder->path);
  count_content(found);
  return Updated::Changed;
}

}  // namespace scidfs::fs
