#include "fs/file/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <optional>
#include <system_error>

#include "codec/text.h"
#include "fs/file/io.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

// The name aside of "x" is ".x.scidfs-" and random digits: hidden, and not mistaken for a user's
// file.
constexpr std::string_view kMark = ".scidfs-";
constexpr std::size_t kDigits = 8;
constexpr std::string_view kHexDigits = "0123456789abcdef";

// Returns as much of the end of a name as a name aside has room for, in whole characters.
std::string_view end_of_name(std::string_view name) {
  constexpr std::size_t kMost = NAME_MAX - 1 - kMark.size() - kDigits;
  if (name.size() <= kMost) return name;
  name.remove_prefix(name.size() - kMost);
  constexpr unsigned kMarkOfRest = 0xC0, kRestOfCharacter = 0x80;  // in UTF-8
  while (!name.empty() && (static_cast<unsigned char>(name[0]) & kMarkOfRest) == kRestOfCharacter) {
    name.remove_prefix(1);
  }
  return name;
}

std::optional<std::string> random_name_aside(const std::filesystem::path& path) {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) return std::nullopt;
  const std::string full = path.filename();
  return path.parent_path() / fmt::format(".{}{}{:08x}", end_of_name(full), kMark, number);
}

// Returns the final name of a file aside; nothing if `aside` is no such name.
std::optional<std::string_view> final_name(std::string_view aside) {
  constexpr std::size_t kTail = kMark.size() + kDigits;
  if (!aside.starts_with('.') || aside.size() < 1 + kTail) return std::nullopt;
  const std::string_view tail = aside.substr(aside.size() - kTail);
  const bool is_ours = tail.starts_with(kMark) &&
                       tail.find_first_not_of(kHexDigits, kMark.size()) == std::string_view::npos;
  if (!is_ours) return std::nullopt;
  return aside.substr(1, aside.size() - kTail - 1);
}

// Returns whether this may be a file from open_aside() whose writer has ended: such a file has one
// name. Locks `file` if so.
bool is_abandoned(const Descriptor& file) {
  struct stat attributes {};
  return file.ok() && ::fstat(file.get(), &attributes) == 0 && S_ISREG(attributes.st_mode) &&
         attributes.st_uid == ::geteuid() && attributes.st_nlink == 1 &&
         ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

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
  struct stat attributes {};
  if (::lstat(path.c_str(), &attributes) != 0) return absl::OkStatus();
  const std::string_view kind = kind_of(attributes.st_mode);
  if (kind.empty()) return absl::OkStatus();
  return absl::AlreadyExistsError(
      fmt::format("Cannot write {0}: {0} is {1}: not replaced", path.native(), kind));
}

Descriptor open_aside(const std::filesystem::path& path, mode_t mode, std::string& aside) {
  for (;;) {
    std::optional<std::string> name = random_name_aside(path);
    if (!name.has_value()) return Descriptor();
    Descriptor file(::open(name->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.ok() && errno == EEXIST) continue;
    if (!file.ok()) return file;
    // Where the file system has no locks, no program locks this file, and it stays.
    const bool is_taken = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat attributes {};
    const bool is_removed = ::fstat(file.get(), &attributes) == 0 && attributes.st_nlink == 0;
    if (!is_taken && !is_removed) {
      aside = *std::move(name);
      return file;
    }
    // Another program considered the file abandoned before it was locked, and removes it.
  }
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::filesystem::path& path,
                                                         Access access) {
  constexpr mode_t kUsual = 0666;
  constexpr mode_t kOwner = 0600;
  std::unique_ptr<NewFile> file(new NewFile());
  file->path_ = path;
  // Without a file name there is no name to rename to at the end.
  if (!path.has_filename()) return file_error("write", path.native(), EISDIR);
  if (absl::Status status = check_replaceable(path); !status.ok()) return status;
  UnbrokenStep step;
  file->descriptor_ = open_aside(path, access == Access::Usual ? kUsual : kOwner, file->aside_);
  if (!file->descriptor_.ok()) return file_error("write", path.native(), errno);
  step.add(file->aside_);
  return file;
}

NewFile::~NewFile() {
  if (aside_.empty()) return;
  UnbrokenStep step;
  ::unlink(aside_.c_str());
  step.remove(aside_);
}

absl::Status NewFile::append(std::span<const std::uint8_t> bytes) {
  if (buffer_.size() + bytes.size() >= kBuffer) {
    if (absl::Status status = flush(); !status.ok()) return status;
  }
  if (bytes.size() >= kBuffer) {
    absl::Status status = write_fully(descriptor_.get(), size_, bytes, path_.native());
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
  absl::Status status = write_fully(descriptor_.get(), offset, buffer_, path_.native());
  // Has the disk begin, so that sync() waits for little. Where that cannot be, it waits for more.
  ::sync_file_range(descriptor_.get(), static_cast<off_t>(offset),
                    static_cast<off_t>(buffer_.size()), SYNC_FILE_RANGE_WRITE);
  buffer_.clear();
  return status;
}

absl::Status NewFile::patch(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (absl::Status status = flush(); !status.ok()) return status;
  return write_fully(descriptor_.get(), offset, bytes, path_.native());
}

absl::Status NewFile::patch(std::uint64_t offset, std::string_view bytes) {
  return patch(offset, codec::as_bytes(bytes));
}

absl::Status NewFile::read(std::uint64_t offset, std::span<std::uint8_t> out) {
  if (absl::Status status = flush(); !status.ok()) return status;
  return read_fully(descriptor_.get(), offset, out, path_.native());
}

bool NewFile::set_attribute(const char* name, std::string_view value) {
  return ::fsetxattr(descriptor_.get(), name, value.data(), value.size(), 0) == 0;
}

absl::StatusOr<FileTime> NewFile::mtime() {
  if (absl::Status status = flush(); !status.ok()) return status;
  struct stat attributes {};
  if (::fstat(descriptor_.get(), &attributes) != 0)
    return file_error("write", path_.native(), errno);
  return FileTime{attributes.st_mtim.tv_sec,
                  static_cast<std::uint32_t>(attributes.st_mtim.tv_nsec)};
}

absl::Status NewFile::sync() {
  if (absl::Status status = flush(); !status.ok()) return status;
  if (::fsync(descriptor_.get()) == 0) return absl::OkStatus();
  return file_error("write", path_.native(), errno);
}

absl::Status NewFile::put_in_place(Existing existing) {
  UnbrokenStep step;
  return put_in_place(existing, step);
}

absl::Status NewFile::put_in_place(Existing existing, UnbrokenStep& step) {
  if (absl::Status status = check_replaceable(path_); !status.ok()) return status;
  int error = 0;
  if (existing == Existing::Keep) {
    error = rename_without_replacing(aside_.c_str(), path_.c_str());
  } else if (::rename(aside_.c_str(), path_.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) return file_error("write", path_.native(), error);
  step.remove(aside_);
  aside_.clear();
  return absl::OkStatus();
}

void remove_abandoned(const std::filesystem::path& folder,
                      absl::FunctionRef<bool(std::string_view name)> is_ours) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    const std::string aside = path.filename();
    const std::optional<std::string_view> name = final_name(aside);
    if (!name.has_value() || !is_ours(*name)) continue;
    const Descriptor file(::open(path.c_str(), kOpenToRead));
    if (is_abandoned(file)) ::unlink(path.c_str());
  }
}

}  // namespace scidfs::fs
