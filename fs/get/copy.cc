#include "fs/get/copy.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "fs/base/log.h"
#include "fs/get/path_finder.h"

namespace scidfs::fs {
namespace {

class Copier {
 public:
  Copier(const TreeReader& reader, bool is_recursive, CopyTarget& target)
      : reader_(reader), is_recursive_(is_recursive), target_(target) {}

  // Counts the files that copy() will look at.
  void count(const FoundPath& found) {
    if (!found.attributes.is_directory) target_.expect_file();
    if (!found.attributes.is_directory || !is_recursive_) return;
    const auto names = reader_.list(found.attributes.inode);
    if (!names.ok()) return;  // copy() says why
    for (const auto& [name, is_directory, inode] : *names) {
      if (!is_directory) target_.expect_file();
      if (!is_directory) continue;
      const auto entry = reader_.find(found.attributes.inode, name, UnknownSize::IsLeftOut);
      if (entry.ok()) count({.path = name, .attributes = entry->attributes});
    }
  }

  void copy(const FoundPath& found, const std::filesystem::path& path) {
    if (target_.is_full()) return;
    if (!found.attributes.is_directory) return copy_file(found, path);
    if (!is_recursive_) {
      target_.fail(found.path, absl::UnknownError("it is a directory, which needs -r"));
    } else if (target_.make_folder(path)) {
      copy_entries(found, path);
    }
  }

  // Copies all that a directory lists into a folder that is there.
  void copy_entries(const FoundPath& directory, const std::filesystem::path& folder) {
    const auto names = reader_.list(directory.attributes.inode);
    if (!names.ok()) return target_.fail(directory.path, as_on_mount(names.status()));
    for (const auto& [name, is_directory, inode] : *names) {
      if (target_.is_full()) return;
      const std::string path = path_below(directory.path, name);
      const auto entry = reader_.find(directory.attributes.inode, name, UnknownSize::IsUnavailable);
      if (entry.ok()) {
        const bool is_live =
            reader_.is_live(directory.attributes.inode, name, entry->attributes.inode);
        copy({.path = path, .attributes = entry->attributes, .is_live = is_live}, folder / name);
      } else {
        target_.fail(path, as_on_mount(entry.status()));
      }
    }
  }

 private:
  void copy_file(const FoundPath& file, const std::filesystem::path& path) {
    const Attributes& wanted = file.attributes;
    const bool is_there =
        target_.has(path, file.is_live, wanted.size, wanted.mtime) ||
        target_.write(path, wanted.mtime, [&](CopyTarget::File& copied) {
          return read_file(reader_, wanted.inode, file.path,
                           [&](std::string_view bytes) { return copied.append(bytes); });
        });
    if (is_there && log_damage(reader_, wanted.inode, file.path)) target_.note_damage();
    target_.count_file();
  }

  const TreeReader& reader_;
  const bool is_recursive_;
  CopyTarget& target_;
};

}  // namespace

ExitCode copy_paths(const TreeReader& reader, const std::vector<std::string>& paths,
                    const std::filesystem::path& folder, const CopyOptions& options,
                    const FileMaker& maker, const Progress& progress) {
  CopyTarget target(options, maker, progress);
  Copier copier(reader, options.is_recursive, target);
  std::vector<FoundPath> all;
  for (const std::string& path : paths) {
    const absl::Status status = find_path(reader, path, UnknownSize::IsUnavailable,
                                          [&all](const FoundPath& found) { all.push_back(found); });
    if (!status.ok()) target.fail(path, status);
  }
  for (const FoundPath& found : all) copier.count(found);
  for (const FoundPath& found : all) {
    const bool is_top = found.attributes.inode == kRootInode && options.is_recursive;
    if (is_top) {
      copier.copy_entries(found, folder);
    } else {
      copier.copy(found, folder / found.path.substr(found.path.rfind('/') + 1));
    }
  }
  return target.finish();
}

}  // namespace scidfs::fs
