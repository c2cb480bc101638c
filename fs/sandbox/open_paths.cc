#include "fs/sandbox/open_paths.h"

#include <string>
#include <system_error>

#include "codec/scid/format.h"
#include "fs/book/book.h"
#include "fs/library/source_format.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

bool is_shown(const stdfs::path& path) { return is_part_of_any(source_formats(), path); }

stdfs::path folder_of(const stdfs::path& file) {
  return file.has_parent_path() ? file.parent_path() : stdfs::path(".");
}

// Adds the folder in which a file really is, if there is one.
void add_target(const stdfs::path& file, OpenPaths& paths) {
  std::error_code nowhere;
  const stdfs::path target = stdfs::canonical(file, nowhere);
  if (!nowhere) paths.read_by_name.push_back(target.parent_path());
}

// The folders that links of databases and the like lead to, in all folders below the source.
void add_linked_folders(const stdfs::path& source, OpenPaths& paths) {
  std::error_code error;
  constexpr auto kOptions = stdfs::directory_options::skip_permission_denied;
  for (stdfs::recursive_directory_iterator it(source, kOptions, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code nowhere;
    if (is_shown(it->path()) && it->is_symlink(nowhere)) add_target(it->path(), paths);
  }
}

}  // namespace

void add_source(const stdfs::path& source, bool follow_links, OpenPaths& paths) {
  std::error_code error;
  const stdfs::path real = stdfs::canonical(source, error);
  if (error) return;
  if (stdfs::is_directory(real, error)) {
    paths.read.push_back(real);
    if (follow_links) add_linked_folders(real, paths);
    return;
  }
  paths.read_by_name.push_back(real.parent_path());
  const codec::scid::Format* const format = codec::scid::format_of_index(real.extension().string());
  if (!follow_links || format == nullptr) return;
  for (const std::string_view suffix : {format->names_suffix, format->games_suffix}) {
    add_target(stdfs::path(real).replace_extension(suffix), paths);
  }
}

void add_named(const stdfs::path& file, OpenPaths& paths) {
  const stdfs::path folder = folder_of(file);
  paths.read_by_name.push_back(folder);
  add_target(file, paths);
  const std::string front = book_prefix(file).stem().string();
  std::error_code error;
  for (stdfs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code nowhere;
    if (it->path().filename().string().starts_with(front) && it->is_symlink(nowhere)) {
      add_target(it->path(), paths);
    }
  }
}

void add_result(const stdfs::path& file, OpenPaths& paths) {
  paths.write.push_back(folder_of(file));
}

}  // namespace scidfs::fs
