#include "fs/library/folder_scan.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/names.h"
#include "fs/file/descriptor.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

bool leads_outside(const stdfs::path& path, const stdfs::path& source) {
  std::error_code error;
  const stdfs::path target = stdfs::canonical(path, error);
  return error || !is_at_or_below(target, source);
}

// The kind of an entry on disk, and the device number of its file system.
struct Kind {
  bool is_directory = false;
  bool is_link = false;
  bool has_names = false;  // a link, or a file with several names
  dev_t device = 0;
};

// Returns the kind of a path; nothing if there is no such path. Does not ask a file system that is
// mounted there: it might not answer.
std::optional<Kind> kind_of(const stdfs::path& path) {
  struct statx attributes {};
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  constexpr unsigned kWanted = STATX_TYPE | STATX_NLINK;
  if (::statx(AT_FDCWD, path.c_str(), kFlags, kWanted, &attributes) != 0) return std::nullopt;
  return Kind{.is_directory = S_ISDIR(attributes.stx_mode),
              .is_link = S_ISLNK(attributes.stx_mode),
              .has_names = S_ISLNK(attributes.stx_mode) || attributes.stx_nlink > 1,
              .device = ::makedev(attributes.stx_dev_major, attributes.stx_dev_minor)};
}

FileTime mtime_of(const stdfs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return {};
  return {.seconds = status.st_mtim.tv_sec,
          .nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
}

// Where a link leads, as far as the process can tell without asking another file system.
enum class Leads { ToFolder, ToNoFolder, Elsewhere };

Leads where_leads(const stdfs::path& link) {
  const Descriptor folder(::open(link.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_XDEV;
  const Descriptor target(static_cast<int>(
      ::syscall(SYS_openat2, folder.get(), link.filename().c_str(), &how, sizeof how)));
  struct stat status {};
  if (target.ok() && ::fstat(target.get(), &status) == 0) {
    return S_ISDIR(status.st_mode) ? Leads::ToFolder : Leads::ToNoFolder;
  }
  return errno == ENOENT || errno == ELOOP ? Leads::ToNoFolder : Leads::Elsewhere;
}

// Returns whether a folder is shown at its own place in the source.
bool is_shown_itself(const stdfs::path& real, const stdfs::path& source) {
  if (!is_at_or_below(real, source)) return false;
  const auto below = std::next(real.begin(), std::distance(source.begin(), source.end()));
  return std::none_of(below, real.end(),
                      [](const stdfs::path& part) { return part.native().starts_with('.'); });
}

// Returns the entries of a folder that are not hidden, or sets `error`.
std::vector<stdfs::directory_entry> sorted_entries(const stdfs::path& folder,
                                                   std::error_code& error) {
  std::vector<stdfs::directory_entry> entries;
  for (stdfs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().native().starts_with('.')) entries.push_back(*it);
  }
  // Within one folder this is the order of paths, and much cheaper.
  std::ranges::sort(entries, {}, [](const stdfs::directory_entry& entry) -> const std::string& {
    return entry.path().native();
  });
  return entries;
}

// Returns the path of a name in a folder, both relative to the source.
std::string below(const std::string& relative, const std::string& name) {
  return relative.empty() ? name : fmt::format("{}/{}", relative, name);
}

// Sets `has_content` of folders with files, refusals or subfolders with content.
void count_content(FolderScan& found) {
  for (ScannedFolder& folder : found.folders) folder.has_content = !folder.refused.empty();
  for (const ScannedFile& file : found.files) found.folders[file.folder].has_content = true;
  for (std::size_t i = found.folders.size(); i-- > 1;) {
    if (found.folders[i].has_content) found.folders[found.folders[i].parent].has_content = true;
  }
}

class Scan {
 public:
  Scan(stdfs::path source, ScanOptions options)
      : source_(std::move(source)), options_(std::move(options)) {}

  // Scans the top folder. It may be on any file system.
  void begin(const stdfs::path& path, const std::string& relative, unsigned depth);
  // Scans along a link, which may lead to no folder or to one that the scan does not enter.
  void begin_link(const stdfs::path& path, const std::string& relative, unsigned depth);
  FolderScan take() {
    count_content(found_);
    return std::move(found_);
  }

 private:
  void refuse(std::size_t folder, std::string name, std::string why) {
    found_.folders[folder].refused.push_back({.name = std::move(name), .why = std::move(why)});
  }
  // Scans a folder and everything below it.
  void look_into(const stdfs::path& path, const std::string& relative, std::size_t parent,
                 unsigned depth);
  void look_at_entry(const stdfs::directory_entry& entry, std::size_t folder, unsigned depth);
  void look_at_file(const stdfs::directory_entry& entry, const std::string& relative,
                    std::size_t folder);
  // Scans a subfolder or a link of the folder `parent`: directly on the same file system, by
  // options_.elsewhere on others.
  void look_at_folder(const stdfs::path& path, std::size_t parent, unsigned depth, dev_t device);
  void look_at_link(const stdfs::path& path, std::size_t parent, unsigned depth);
  // Scans a folder that was reached along a link.
  void look_along(const stdfs::path& path, std::size_t parent, unsigned depth);
  // Returns why a folder that was reached along a link is not entered. Returns "" and marks it as
  // entered if it is.
  std::string why_not(const stdfs::path& real, unsigned depth);
  void add(FolderScan below, std::size_t parent);

  const stdfs::path source_;
  const ScanOptions options_;
  bool is_remote_ = false;
  dev_t device_ = 0;
  bool is_by_link_ = false;
  std::set<stdfs::path> seen_;  // real paths of the folders entered along the link
  FolderScan found_;
};

void Scan::begin(const stdfs::path& path, const std::string& relative, unsigned depth) {
  device_ = kind_of(path).value_or(Kind()).device;
  is_remote_ = is_remote(path, options_.locality);
  look_into(path, relative, 0, depth);
}

void Scan::begin_link(const stdfs::path& path, const std::string& relative, unsigned depth) {
  is_by_link_ = true;
  std::error_code error;
  const stdfs::path real = stdfs::canonical(path, error);
  if (error || !stdfs::is_directory(real, error)) return;
  found_.not_followed = options_.follow_links || is_shown_itself(real, source_)
                            ? why_not(real, depth)
                            : "a link to a folder (-o follow shows it)";
  if (!found_.not_followed.empty()) return;
  // The sandbox denies all links that were created after it was locked.
  if (const stdfs::directory_iterator probe(real, error); error) {
    found_.not_followed = error.message();
    if (error == std::errc::permission_denied) {
      found_.not_followed += " (if it came after the mount was made, mount again)";
    }
    return;
  }
  is_remote_ = is_remote(real, options_.locality);
  look_into(path, relative, 0, depth);
}

std::string Scan::why_not(const stdfs::path& real, unsigned depth) {
  if (real == source_) return "shown already: it is the source";
  if (!options_.mountpoint.empty() && real == options_.mountpoint) return "it is the mount itself";
  if (is_shown_itself(real, source_)) {
    return fmt::format("shown already as {}", real.lexically_relative(source_).string());
  }
  if (depth > kMaxDepth) return fmt::format("more than {} folders above it", kMaxDepth);
  return seen_.insert(real).second ? "" : "shown already along the same link";
}

// Adds what another scan has found below one of our folders.
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
                            .is_remote = is_remote_});
  std::error_code error;
  const std::vector<stdfs::directory_entry> entries = sorted_entries(path, error);
  if (error) {
    found_.unlisted.push_back(relative);
    // A folder that has just been removed is no error.
    if (error != std::errc::no_such_file_or_directory) {
      std::string problem = fmt::format("Cannot list {}: {}", path.string(), error.message());
      log_warning(problem);
      refuse(index, "", std::move(problem));
    }
  }
  for (const stdfs::directory_entry& entry : entries) {
    look_at_entry(entry, index, depth);
  }
}

void Scan::look_at_entry(const stdfs::directory_entry& entry, std::size_t folder, unsigned depth) {
  const stdfs::path& path = entry.path();
  const std::optional<Kind> kind = kind_of(path);
  if (!kind.has_value()) return;
  if (kind->is_link && find_format(options_.formats, path) == nullptr) {
    look_at_link(path, folder, depth);
  } else if (!kind->is_directory) {
    if (kind->has_names && is_part_of_any(options_.formats, path)) {
      found_.folders[folder].has_links = true;
    }
    look_at_file(entry, below(found_.folders[folder].relative, path.filename()), folder);
  } else if (is_by_link_) {
    look_along(path, folder, depth);
  } else if (depth == kMaxDepth) {
    std::string problem = fmt::format("Cannot look into {}: more than {} folders above each other",
                                      path.string(), kMaxDepth);
    log_warning(problem);
    refuse(folder, path.filename().string(), std::move(problem));
  } else {
    look_at_folder(path, folder, depth, kind->device);
  }
}

void Scan::look_at_folder(const stdfs::path& path, std::size_t parent, unsigned depth,
                          dev_t device) {
  std::string relative = below(found_.folders[parent].relative, path.filename());
  if (device == device_) {
    look_into(path, relative, parent, depth + 1);
    return;
  }
  auto look = [source = source_, options = options_, path, relative, depth]() mutable {
    // Subfolders on further file systems belong to the same probe.
    options.elsewhere = nullptr;
    Scan scan(source, options);
    scan.begin(path, relative, depth + 1);
    return scan.take();
  };
  add(options_.elsewhere == nullptr ? look() : options_.elsewhere(relative, look), parent);
}

void Scan::look_at_link(const stdfs::path& path, std::size_t parent, unsigned depth) {
  const Leads leads = where_leads(path);
  if (leads == Leads::ToNoFolder) return;
  if (is_by_link_) {
    look_along(path, parent, depth);
    return;
  }
  std::string relative = below(found_.folders[parent].relative, path.filename());
  auto look = [source = source_, options = options_, path, relative, depth]() mutable {
    options.elsewhere = nullptr;
    Scan scan(source, options);
    scan.begin_link(path, relative, depth + 1);
    return scan.take();
  };
  const bool may_hang = leads == Leads::Elsewhere && options_.elsewhere != nullptr;
  FolderScan found = may_hang ? options_.elsewhere(relative, look) : look();
  if (!found.not_followed.empty()) {
    found_.folders[parent].links.push_back({path.filename(), std::move(found.not_followed)});
  }
  add(std::move(found), parent);
}

void Scan::look_along(const stdfs::path& path, std::size_t parent, unsigned depth) {
  std::error_code error;
  const stdfs::path real = stdfs::canonical(path, error);
  if (error || !stdfs::is_directory(real, error)) return;
  if (std::string why = why_not(real, depth + 1); !why.empty()) {
    found_.folders[parent].links.push_back({path.filename(), std::move(why)});
    return;
  }
  const bool was_remote = std::exchange(is_remote_, is_remote(real, options_.locality));
  look_into(path, below(found_.folders[parent].relative, path.filename()), parent, depth + 1);
  is_remote_ = was_remote;
}

void Scan::look_at_file(const stdfs::directory_entry& entry, const std::string& relative,
                        std::size_t folder) {
  const SourceFormat* const format = find_format(options_.formats, entry.path());
  if (format == nullptr) return;
  const std::string file = entry.path().filename().string();
  std::optional<std::string> shown = format->shown_name(file);
  if (!shown.has_value()) return;
  std::error_code error;
  if (!options_.follow_links && entry.is_symlink(error) && leads_outside(entry.path(), source_)) {
    refuse(folder, *shown, fmt::format("{}: a link out of the source (-o follow shows it)", file));
    return;
  }
  found_.files.push_back({.path = entry.path(),
                          .relative = relative,
                          .name = *std::move(shown),
                          .folder = folder,
                          .format = format});
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
  const auto folder =
      std::ranges::find(found.folders, folder_of_path(shown), &ScannedFolder::relative);
  if (folder == found.folders.end()) return Updated::Unknown;
  if (folder->is_remote) return Updated::Same;
  const stdfs::path path = source / shown;
  const std::optional<Kind> kind = kind_of(path);
  const bool was_folder =
      std::ranges::find(found.folders, shown, &ScannedFolder::relative) != found.folders.end();
  const bool is_folder = kind.has_value() && kind->is_directory;
  if (is_folder != was_folder) return Updated::Unknown;
  const SourceFormat* const format = find_format(formats, path);
  if (format == nullptr) {
    const bool is_link = kind.has_value() && kind->is_link;
    const bool was_link = std::ranges::find(folder->links, path.filename().string(),
                                            &ScannedFolder::Link::name) != folder->links.end();
    return is_link || was_link ? Updated::Unknown : Updated::Same;
  }
  if (is_folder) return Updated::Same;
  const auto place = std::ranges::lower_bound(found.files, path, {}, &ScannedFile::path);
  const bool was_there = place != found.files.end() && place->relative == shown;
  const bool is_new_link = kind.has_value() && kind->has_names && !folder->has_links;
  // The change may concern an index whose name is in another case.
  if (!was_there && !kind.has_value()) return Updated::Unknown;
  if (was_there == kind.has_value() && !is_new_link) return Updated::Same;
  // The shown name may not be a file name, or a link may lead to the file.
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
