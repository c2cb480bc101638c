#include "fs/get/site.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cache/hash.h"
#include "fs/base/filename.h"
#include "fs/base/inode.h"
#include "fs/base/status_macros.h"
#include "fs/get/path_finder.h"
#include "fs/pages/static_page.h"
#include "fs/views/numbers.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPageSuffix = ".html";

bool has_suffix_of_site(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSuffixes = {kPageSuffix, ".svg", ".css", ".js"};
  return std::ranges::any_of(kSuffixes, [name](auto suffix) { return name.ends_with(suffix); });
}

// Returns whether a directory is the search/ of a set, whose page is but a form.
bool is_search(Inode directory, std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1) == "search" &&
         unpack(directory).place.entry == kSetSearch;
}

// Paths of the site are those below its directory, without a slash at the beginning; that of a
// directory below it ends with one.
class Site {
 public:
  Site(const TreeReader& reader, std::string top, CopyTarget& target)
      : reader_(reader), top_(std::move(top)), target_(target) {}

  // Notes what copy() will copy. Returns whether the directory has a page.
  bool plan(Inode directory, const std::string& path) {
    const std::optional<std::vector<ListedName>> names = names_of(directory, path);
    if (!names.has_value()) return false;
    for (const auto& [name, is_directory, inode] : *names) {
      if (is_directory) {
        plan(inode, path + name + '/');
      } else {
        target_.expect_file();
        files_.insert(cache::fingerprint(path + name));
      }
    }
    return true;
  }

  // Copies a directory into a folder that is there.
  void copy(Inode directory, const std::string& path, const std::filesystem::path& folder) {
    const std::optional<std::vector<ListedName>> names = names_of(directory, path);
    if (!names.has_value()) return;
    for (const auto& [name, is_directory, inode] : *names) {
      if (target_.is_full()) return;
      if (!is_directory) {
        copy_file(inode, reader_.is_live(directory, name, inode), path, name, folder / name);
      } else if (has_file(path + name + '/' + std::string(kPageFiles.front())) &&
                 target_.make_folder(folder / name)) {
        copy(inode, path + name + '/', folder / name);
      }
    }
  }

 private:
  bool has_file(std::string_view path) const { return files_.contains(cache::fingerprint(path)); }

  // Returns the directories and the files of the site that a directory lists; nothing if it has no
  // page of the site: no other page leads there.
  std::optional<std::vector<ListedName>> names_of(Inode directory, const std::string& path) {
    if (is_search(directory, path.empty() ? top_ : path)) return std::nullopt;
    absl::StatusOr<std::vector<ListedName>> names = reader_.list(directory);
    if (!names.ok()) {
      target_.fail(path_below(top_, path), as_on_mount(names.status()));
      return std::nullopt;
    }
    std::erase_if(*names, [this](const ListedName& one) {
      return !one.is_directory &&
             (!has_suffix_of_site(one.name) || reader_.is_of_source(one.inode).value_or(true));
    });
    const bool has_page = std::ranges::any_of(*names, [](const ListedName& one) {
      return !one.is_directory && one.name == kPageFiles.front();
    });
    return has_page ? std::optional(*std::move(names)) : std::nullopt;
  }

  void copy_file(Inode file, bool is_live, const std::string& directory, const std::string& name,
                 const std::filesystem::path& copied) {
    const std::string path = path_below(top_, directory + name);
    const absl::StatusOr<Attributes> wanted = reader_.attributes(file);
    if (!wanted.ok()) {
      target_.fail(path, as_on_mount(wanted.status()));
    } else if (name.ends_with(kPageSuffix)) {
      copy_page(*wanted, is_live, path, directory, copied);
    } else if (!target_.has(copied, is_live, wanted->size, wanted->mtime)) {
      target_.write(copied, wanted->mtime, [&](CopyTarget::File& out) {
        return read_file(reader_, file, path,
                         [&out](std::string_view bytes) { return out.append(bytes); });
      });
    }
    target_.count_file();
  }

  void copy_page(const Attributes& page, bool is_live, const std::string& path,
                 std::string_view directory, const std::filesystem::path& copied) {
    std::string text;
    const absl::Status read = read_file(reader_, page.inode, path, [&text](std::string_view bytes) {
      text += bytes;
      return absl::OkStatus();
    });
    if (!read.ok()) return target_.fail(read);
    text =
        static_page(text, directory, [this](std::string_view linked) { return has_file(linked); });
    if (target_.has(copied, is_live, text.size(), page.mtime)) return;
    target_.write(copied, page.mtime, [&](CopyTarget::File& out) { return out.append(text); });
  }

  const TreeReader& reader_;
  const std::string top_;
  CopyTarget& target_;
  // Fingerprints of the paths of all files: of a large database there are millions.
  absl::flat_hash_set<std::uint64_t> files_;
};

}  // namespace

ExitCode copy_site(const TreeReader& reader, const std::string& path,
                   const std::filesystem::path& folder, const CopyOptions& options,
                   const FileMaker& maker, const Progress& progress) {
  CopyTarget target(options, maker, progress);
  std::vector<FoundPath> found;
  const absl::Status status = find_path(reader, path, UnknownSize::IsLeftOut,
                                        [&found](const FoundPath& one) { found.push_back(one); });
  if (!status.ok()) {
    target.fail(path, status);
  } else if (found.size() != 1) {
    target.fail(path, absl::InvalidArgumentError("a site is made of one directory"));
  } else {
    const Inode top = found.front().attributes.inode;
    Site site(reader, found.front().path, target);
    if (!found.front().attributes.is_directory || !site.plan(top, "")) {
      target.fail(path, absl::InvalidArgumentError("it is no directory with a page"));
    } else {
      site.copy(top, "", folder);
    }
  }
  return target.finish();
}

}  // namespace scidfs::fs
