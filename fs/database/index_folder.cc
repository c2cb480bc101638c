#include "fs/database/index_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "cache/hash.h"
#include "fs/file/cache_folder.h"
#include "fs/file/cache_remarks.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Returns when a file was read or written last, by a clock of file systems, most of which note
// reads once a day.
std::int64_t last_use(const stdfs::path& path) {
  struct stat attributes {};
  if (::stat(path.c_str(), &attributes) != 0) return 0;
  return std::max<std::int64_t>(attributes.st_atime, attributes.st_mtime);
}

std::uint64_t room_for(const DatabaseOptions& options) {
  if (options.index_bytes != DatabaseOptions::kUsualIndexBytes) return options.index_bytes;
  constexpr std::uint64_t kMost = std::uint64_t{4} << 30;
  constexpr std::uint64_t kPart = 10;
  struct statvfs space {};
  if (::statvfs(options.cache_folder.c_str(), &space) != 0) return 0;
  return std::min(kMost, std::uint64_t{space.f_bavail} * space.f_frsize / kPart);
}

std::uint64_t size_of(const stdfs::path& path) {
  struct stat attributes {};
  return ::stat(path.c_str(), &attributes) == 0 ? static_cast<std::uint64_t>(attributes.st_size)
                                                : 0;
}

// Removes index files until a new one has room, the least recently used first. Returns whether it
// has.
bool make_room(const IndexFolderFile& file, std::uint64_t bytes, std::uint64_t room) {
  if (!file.companion.empty()) bytes += size_of(file.companion);
  if (bytes > room) return false;
  struct Kept {
    stdfs::path path;
    std::int64_t used = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Kept> others;
  std::error_code error;
  for (stdfs::directory_iterator it(folder_of(file.path), error);
       !error && it != stdfs::directory_iterator(); it.increment(error)) {
    const stdfs::path& other = it->path();
    const std::string name = other.filename().native();
    const bool is_one =
        is_cache_name(name, kIndexExtension) || is_cache_name(name, kPositionsExtension);
    if (other == file.path || other == file.companion || !is_one) continue;
    std::error_code ignored;
    others.push_back({other, last_use(other), it->file_size(ignored)});
    bytes += others.back().bytes;
  }
  std::ranges::sort(others, {}, &Kept::used);
  for (const Kept& oldest : others) {
    if (bytes <= room) break;
    // Not before: a look at a file counts as its use.
    std::error_code ignored;
    if (is_section_file(oldest.path) && stdfs::remove(oldest.path, ignored)) bytes -= oldest.bytes;
  }
  return bytes <= room;
}

}  // namespace

stdfs::path index_path_of(const DatabaseOptions& options, std::string_view thing,
                          std::string_view extension) {
  return options.cache_folder / cache_digits(cache::fingerprint(thing)).append(extension);
}

bool may_take(std::uint64_t bytes, const DatabaseOptions& options) {
  return bytes <= room_for(options);
}

void note_no_room(const IndexFolderFile& file) {
  add_cache_remark(fmt::format("index_cache has no room for {}", file.name));
}

absl::Status save_in_room(const IndexFolderFile& file, const SectionImage& image,
                          const DatabaseOptions& options, absl::FunctionRef<bool()> is_cancelled) {
  if (make_room(file, image.size(), room_for(options))) {
    return save_sections(file.path, image, is_cancelled);
  }
  note_no_room(file);
  return absl::OkStatus();
}

}  // namespace scidfs::fs
