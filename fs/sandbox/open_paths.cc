#include "fs/sandbox/open_paths.h"

#include <set>
#include <string>
#include <system_error>

#include "codec/ending.h"
#include "codec/scid/format.h"
#include "fs/book/book.h"
#include "fs/file/companion.h"
#include "fs/file/folder.h"
#include "fs/library/source_format.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

bool is_shown(const stdfs::path& path) { return is_part_of_any(source_formats(), path); }

// Adds the folder of the file that a path leads to, if there is one.
void add_target(const stdfs::path& file, OpenPaths& paths) {
  std::error_code nowhere;
  const stdfs::path target = stdfs::canonical(file, nowhere);
  if (!nowhere) paths.read_by_name.push_back(target.parent_path());
}

// Adds the folders to which links to databases and other sources, and links to folders, lead: in
// all folders below `folder` and in those that the links lead to. `seen`: the real paths of the
// folders so far.
void add_linked_folders(const stdfs::path& folder, std::set<stdfs::path>& seen, OpenPaths& paths) {
  std::error_code error;
  const stdfs::path real_folder = stdfs::canonical(folder, error);
  if (error || !seen.insert(real_folder).second) return;
  for (stdfs::directory_iterator it(real_folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code nowhere;
    const bool is_link = it->is_symlink(nowhere);
    if (it->is_directory(nowhere)) {
      if (is_link) paths.read.push_back(stdfs::canonical(it->path(), nowhere));
      add_linked_folders(it->path(), seen, paths);
    } else if (is_link && is_shown(it->path())) {
      add_target(it->path(), paths);
    }
  }
}

}  // namespace

void add_source(const stdfs::path& source, bool follow_links, OpenPaths& paths) {
  std::error_code error;
  const stdfs::path real = stdfs::canonical(source, error);
  if (error) return;
  if (stdfs::is_directory(real, error)) {
    paths.read.push_back(real);
    std::set<stdfs::path> seen;
    if (follow_links) add_linked_folders(real, seen, paths);
    return;
  }
  paths.read_by_name.push_back(real.parent_path());
  const codec::scid::Format* const format = codec::scid::format_of_index(real.extension().string());
  if (!follow_links || format == nullptr) return;
  for (const std::string_view suffix : {format->names_suffix, format->games_suffix}) {
    add_target(companion_of(real, suffix), paths);
  }
}

void add_named(const stdfs::path& file, OpenPaths& paths) {
  const stdfs::path folder = folder_of(file);
  paths.read_by_name.push_back(folder);
  add_target(file, paths);
  const auto small = [](const stdfs::path& name) { return codec::in_small_letters(name.string()); };
  const std::string front = small(book_prefix(file).stem());
  std::error_code error;
  for (stdfs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code nowhere;
    if (small(it->path().filename()).starts_with(front) && it->is_symlink(nowhere)) {
      add_target(it->path(), paths);
    }
  }
}

void add_result(const stdfs::path& file, OpenPaths& paths) {
  paths.write.push_back(folder_of(file));
}

}  // namespace scidfs::fs
