#include "fs/get/copy.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/new_file.h"
#include "fs/get/path_finder.h"

namespace scidfs::fs {
namespace {

class Copier {
 public:
  Copier(const TreeReader& reader, const CopyOptions& options, const FileMaker& maker,
         const Progress& progress)
      : reader_(reader), options_(options), maker_(maker), progress_(progress) {}

  // Counts the files that copy() will look at.
  void count(const FoundPath& found) {
    if (!found.attributes.is_directory) ++total_;
    if (!found.attributes.is_directory || !options_.is_recursive) return;
    const auto names = reader_.list(found.attributes.inode);
    if (!names.ok()) return;  // copy() says why
    for (const auto& [name, is_directory] : *names) {
      if (!is_directory) ++total_;
      if (!is_directory) continue;
      const auto entry = reader_.find(found.attributes.inode, name, UnknownSize::IsLeftOut);
      if (entry.ok()) count({.path = name, .attributes = entry->attributes});
    }
  }

  void copy(const FoundPath& found, const std::filesystem::path& target) {
    if (is_over_) return;
    if (!found.attributes.is_directory) return copy_file(found, target);
    if (!options_.is_recursive) {
      return fail(found.path, absl::UnknownError("it is a directory, which needs -r"));
    }
    if (const absl::Status made = maker_.make_folder(target); !made.ok()) return fail("", made);
    copy_entries(found, target);
  }

  // Copies all that a directory lists into a folder that is there.
  void copy_entries(const FoundPath& directory, const std::filesystem::path& target) {
    const auto names = reader_.list(directory.attributes.inode);
    if (!names.ok()) return fail(directory.path, as_on_mount(names.status()));
    for (const auto& [name, is_directory] : *names) {
      if (is_over_) return;
      const std::string path = path_below(directory.path, name);
      const auto entry = reader_.find(directory.attributes.inode, name, UnknownSize::IsUnavailable);
      if (entry.ok()) {
        copy({.path = path, .attributes = entry->attributes}, target / name);
      } else {
        fail(path, as_on_mount(entry.status()));
      }
    }
  }

  void fail(std::string_view path, const absl::Status& error) {
    const std::string message(error.message());
    log_error(path.empty() ? message : fmt::format("{}: {}", printable(path), message));
    is_good_ = false;
    if (absl::IsResourceExhausted(error)) is_over_ = true;
  }
  ExitCode exit_code() const {
    if (!is_good_) return ExitCode::Failed;
    return is_damaged_ ? ExitCode::Damaged : ExitCode::Good;
  }

 private:
  void copy_file(const FoundPath& file, const std::filesystem::path& target) {
    if (!is_there_already(file.attributes, target)) {
      const absl::Status status = write(file, target);
      if (!status.ok()) fail("", status);
      if (status.ok() && log_damage(reader_, file.attributes.inode, file.path)) is_damaged_ = true;
    }
    progress_(++done_, total_);
  }

  bool is_there_already(const Attributes& wanted, const std::filesystem::path& target) const {
    struct stat there {};
    if (!options_.continues || ::lstat(target.c_str(), &there) != 0) return false;
    return S_ISREG(there.st_mode) && static_cast<std::uint64_t>(there.st_size) == wanted.size &&
           there.st_mtim.tv_sec == wanted.mtime.seconds &&
           there.st_mtim.tv_nsec == static_cast<long>(wanted.mtime.nanoseconds);
  }

  absl::Status write(const FoundPath& file, const std::filesystem::path& target) const {
    constexpr std::size_t kAtOnce = std::size_t{1} << 20;
    // Before the work: put_in_place() looks again.
    struct stat there {};
    if (!options_.overwrites && ::lstat(target.c_str(), &there) == 0) {
      RETURN_IF_ERROR(check_replaceable(target));
      return absl::AlreadyExistsError(
          fmt::format("Cannot write {}: something has that name", target.native()));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<NewFile> copied, NewFile::create(target, maker_));
    for (;;) {
      const auto slice = reader_.read(file.attributes.inode, copied->size(), kAtOnce);
      if (!slice.ok()) {
        return absl::UnknownError(fmt::format("{}: {}", printable(file.path),
                                              std::string(as_on_mount(slice.status()).message())));
      }
      if (slice->bytes.empty()) break;
      RETURN_IF_ERROR(copied->append(slice->bytes));
    }
    // Without sync(), as cp(1): the next run with --continue finds what a power failure has cost.
    RETURN_IF_ERROR(copied->set_mtime(file.attributes.mtime));
    return copied->put_in_place(options_.overwrites ? NewFile::Existing::Replace
                                                    : NewFile::Existing::Keep);
  }

  const TreeReader& reader_;
  const CopyOptions& options_;
  const FileMaker& maker_;
  const Progress& progress_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  bool is_good_ = true;
  bool is_damaged_ = false;
  bool is_over_ = false;
};

}  // namespace

ExitCode copy_paths(const TreeReader& reader, const std::vector<std::string>& paths,
                    const std::filesystem::path& target, const CopyOptions& options,
                    const FileMaker& maker, const Progress& progress) {
  Copier copier(reader, options, maker, progress);
  std::vector<FoundPath> all;
  for (const std::string& path : paths) {
    const absl::Status status = find_path(reader, path, UnknownSize::IsUnavailable,
                                          [&all](const FoundPath& found) { all.push_back(found); });
    if (!status.ok()) copier.fail(path, status);
  }
  for (const FoundPath& found : all) copier.count(found);
  for (const FoundPath& found : all) {
    const bool is_top = found.attributes.inode == kRootInode && options.is_recursive;
    if (is_top) {
      copier.copy_entries(found, target);
    } else {
      copier.copy(found, target / found.path.substr(found.path.rfind('/') + 1));
    }
  }
  return copier.exit_code();
}

}  // namespace scidfs::fs
