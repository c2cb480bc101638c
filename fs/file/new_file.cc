#include "fs/file/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/file/file_maker.h"
#include "fs/file/io.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

// Returns the kind of a thing that is not a regular file; empty for a regular file.
std::string_view kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "";
    case S_IFDIR:
      return "a folder";
    case S_IFLNK:
      return "a symbolic link";
    case S_IFCHR:
      return "a character device";
    case S_IFBLK:
      return "a block device";
    case S_IFIFO:
      return "a named pipe";
    case S_IFSOCK:
      return "a socket";
    default:
      return "no regular file";
  }
}

// Returns the attributes of what has a name; nothing if nothing has it.
std::optional<struct stat> look_at(const std::filesystem::path& path) {
  struct stat attributes {};
  if (::lstat(path.c_str(), &attributes) != 0) return std::nullopt;
  return attributes;
}

// Returns owner, group and mode of a file in one text; empty if there is none.
std::string access_text(const std::optional<struct stat>& file) {
  if (!file.has_value()) return {};
  return fmt::format("{} {} {:o}", file->st_uid, file->st_gid, file->st_mode);
}

// check_replaceable() for what look_at() has found.
absl::Status check_replaceable(const std::optional<struct stat>& there, std::string_view shown) {
  const std::string_view kind = there.has_value() ? kind_of(there->st_mode) : "";
  if (kind.empty()) return absl::OkStatus();
  return absl::AlreadyExistsError(
      fmt::format("Cannot write {0}: {0} is {1}: not replaced", shown, kind));
}

// Renames without replacing, for file systems that have neither such a call nor links. An empty
// file takes the place, and only the program that created it may replace it. Returns 0 or an errno.
int rename_over_placeholder(const char* from, const char* to) {
  constexpr mode_t kOwner = 0600;
  const Descriptor placeholder(::open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwner));
  if (!placeholder.ok()) return errno;
  if (::rename(from, to) == 0) return 0;
  const int error = errno;
  ::unlink(to);
  return error;
}

// Does the same by any means of the file system.
int rename_without_replacing(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
  if (::linkat(AT_FDCWD, from, AT_FDCWD, to, 0) == 0) {
    ::unlink(from);
    return 0;
  }
  if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP && errno != EMLINK) return errno;
  return rename_over_placeholder(from, to);
}

}  // namespace

absl::Status check_replaceable(const std::filesystem::path& path) {
  return check_replaceable(look_at(path), path.native());
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(
    const std::filesystem::path& path, std::string shown,
    absl::FunctionRef<absl::StatusOr<AsideFile>()> make) {
  std::unique_ptr<NewFile> file(new NewFile());
  file->path_ = path;
  file->shown_ = std::move(shown);
  // Without a file name there is no name to rename to at the end.
  if (!path.has_filename()) return file_error("write", file->shown_, EISDIR);
  const std::optional<struct stat> there = look_at(path);
  RETURN_IF_ERROR(check_replaceable(there, file->shown_));
  file->replaced_ = access_text(there);
  UnbrokenStep step;
  ASSIGN_OR_RETURN(AsideFile made, make());
  file->made_ = std::move(made);
  step.add(file->made_.aside);
  return file;
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::filesystem::path& path,
                                                         const NewAccess& access) {
  return create(path, access, path.native());
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::filesystem::path& path,
                                                         const NewAccess& access,
                                                         std::string shown) {
  return create(path, shown, [&] { return make_aside(path, access, shown); });
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::filesystem::path& path,
                                                         const FileMaker& maker) {
  absl::StatusOr<std::unique_ptr<NewFile>> file =
      create(path, path.native(), [&] { return maker.make(path); });
  if (file.ok()) (*file)->maker_ = &maker;
  return file;
}

NewFile::~NewFile() {
  if (made_.aside.empty()) return;
  UnbrokenStep step;
  ::unlink(made_.aside.c_str());
  step.remove(made_.aside);
}

absl::Status NewFile::append(std::span<const std::uint8_t> bytes) {
  if (buffer_.size() + bytes.size() >= kBuffer) {
    RETURN_IF_ERROR(flush());
  }
  if (bytes.size() >= kBuffer) {
    absl::Status status = write_fully(made_.file.get(), size_, bytes, shown_);
    size_ += bytes.size();
    return status;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  size_ += bytes.size();
  return absl::OkStatus();
}

absl::Status NewFile::append(std::string_view bytes) { return append(codec::as_bytes(bytes)); }

absl::Status NewFile::flush() {
  if (buffer_.empty()) return absl::OkStatus();
  const std::uint64_t offset = size_ - buffer_.size();
  absl::Status status = write_fully(made_.file.get(), offset, buffer_, shown_);
  // Has the disk begin, so that sync() waits for little. Where that cannot be, it waits for more.
  if (size_ >= kBuffer) {
    ::sync_file_range(made_.file.get(), static_cast<off_t>(offset),
                      static_cast<off_t>(buffer_.size()), SYNC_FILE_RANGE_WRITE);
  }
  buffer_.clear();
  return status;
}

absl::Status NewFile::patch(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  RETURN_IF_ERROR(flush());
  return write_fully(made_.file.get(), offset, bytes, shown_);
}

absl::Status NewFile::patch(std::uint64_t offset, std::string_view bytes) {
  return patch(offset, codec::as_bytes(bytes));
}

absl::Status NewFile::read(std::uint64_t offset, std::span<std::uint8_t> out) {
  RETURN_IF_ERROR(flush());
  return read_fully(made_.file.get(), offset, out, shown_);
}

bool NewFile::set_attribute(const char* name, std::string_view value) {
  if (maker_ != nullptr) return maker_->set_attribute(made_, name, value);
  return fs::set_attribute(made_.file.get(), name, value);
}

absl::StatusOr<FileTime> NewFile::mtime() {
  RETURN_IF_ERROR(flush());
  struct stat attributes {};
  if (::fstat(made_.file.get(), &attributes) != 0) return file_error("write", shown_, errno);
  return FileTime{attributes.st_mtim.tv_sec,
                  static_cast<std::uint32_t>(attributes.st_mtim.tv_nsec)};
}

absl::Status NewFile::set_mtime(FileTime time) {
  RETURN_IF_ERROR(flush());
  return maker_ != nullptr ? maker_->set_time(path_, time)
                           : set_time(made_.file.get(), time, shown_);
}

absl::Status NewFile::sync() {
  RETURN_IF_ERROR(flush());
  if (::fsync(made_.file.get()) == 0) return absl::OkStatus();
  return file_error("write", shown_, errno);
}

absl::Status NewFile::check_place() const {
  const std::optional<struct stat> there = look_at(path_);
  RETURN_IF_ERROR(check_replaceable(there, shown_));
  const std::string now = access_text(there);
  const bool is_as_before = now.empty() || now == replaced_;
  if (is_as_before || now == access_text(look_at(made_.aside))) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("Cannot write {}: its owner or mode has changed meanwhile", shown_));
}

absl::Status NewFile::put_in_place(Existing existing) {
  UnbrokenStep step;
  return put_in_place(existing, step);
}

absl::Status NewFile::put_in_place(Existing existing, UnbrokenStep& step) {
  assert(buffer_.empty());
  const bool is_kept = existing == Existing::Keep;
  if (!is_kept) RETURN_IF_ERROR(check_place());
  int error = 0;
  if (is_kept) {
    error = rename_without_replacing(made_.aside.c_str(), path_.c_str());
  } else if (::rename(made_.aside.c_str(), path_.c_str()) != 0) {
    error = errno;
  }
  if (is_kept && error == EEXIST) RETURN_IF_ERROR(check_replaceable(look_at(path_), shown_));
  if (error != 0) return file_error("write", shown_, error);
  step.remove(made_.aside);
  made_.aside.clear();
  return absl::OkStatus();
}

void NewFile::leave(UnbrokenStep& step) {
  step.remove(made_.aside);
  made_.aside.clear();
}

}  // namespace scidfs::fs
