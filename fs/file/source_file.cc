#include "fs/file/source_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace scidfs::fs {
namespace {

absl::Status failure(std::string_view action, const std::filesystem::path& path, int error) {
  const std::string text = fmt::format("Cannot {} {}: {}", action, path.string(),
                                       std::generic_category().message(error));
  if (error == ENOENT) return absl::NotFoundError(text);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(text);
  return absl::DataLossError(text);
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// Reads until `out` is full or the file ends. Returns the bytes read, or -1 with errno set.
std::int64_t read_fully(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(descriptor, out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count == 0) break;
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return static_cast<std::int64_t>(done);
}

FileStamp stamp_of(const struct stat& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mtime_seconds = status.st_mtim.tv_sec,
          .mtime_nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec),
          .ctime = status.st_ctim.tv_sec * kSecond + status.st_ctim.tv_nsec};
}

}  // namespace

FileStamp stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? stamp_of(status) : FileStamp{};
}

absl::StatusOr<SourceFile> SourceFile::open(const std::filesystem::path& path,
                                            const FileOrigin& origin) {
  if (origin.files() != nullptr) return open_unpacked(path, *origin.files());
  // Not blocking: a named pipe in the place of a database must not hang the mount. Not following:
  // a file that becomes a link after we have looked is not opened.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
  SourceFile file;
  file.path_ = path;
  file.descriptor_ = ::open(path.c_str(), kFlags);
  if (file.descriptor_ < 0 && errno == ELOOP) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::canonical(path, error);
    if (error) return failure("open", path, error.value());
    if (!is_below(target, origin.boundary())) {
      return absl::InvalidArgumentError(
          fmt::format("Cannot open {}: a link out of the source", path.string()));
    }
    file.descriptor_ = ::open(target.c_str(), kFlags);
  }
  if (file.descriptor_ < 0) return failure("open", path, errno);
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) return failure("stat", path, errno);
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot open {}: it is not a regular file", path.string()));
  }
  constexpr std::uint64_t kUnit = 512;  // of st_blocks
  file.stamp_ = stamp_of(status);
  file.size_on_disk_ = static_cast<std::uint64_t>(status.st_blocks) * kUnit;
  return file;
}

absl::StatusOr<SourceFile> SourceFile::open_unpacked(const std::filesystem::path& path,
                                                     const UnpackedFiles& files) {
  const auto found = files.find(path);
  if (found == files.end()) return failure("open", path, ENOENT);
  SourceFile file;
  file.path_ = path;
  file.unpacked_ = found->second.bytes;
  file.descriptor_ = file.unpacked_->descriptor();
  file.stamp_ = found->second.stamp;
  file.size_on_disk_ = file.stamp_.size;
  return file;
}

SourceFile::~SourceFile() {
  if (descriptor_ >= 0 && unpacked_ == nullptr) ::close(descriptor_);
}

SourceFile::SourceFile(SourceFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      unpacked_(std::move(other.unpacked_)),
      stamp_(other.stamp_),
      size_on_disk_(other.size_on_disk_),
      path_(std::move(other.path_)) {}

SourceFile& SourceFile::operator=(SourceFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(unpacked_, other.unpacked_);
  std::swap(stamp_, other.stamp_);
  std::swap(size_on_disk_, other.size_on_disk_);
  std::swap(path_, other.path_);
  return *this;
}

absl::Status SourceFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  const std::int64_t count = read_fully(descriptor_, offset, out);
  const int error = errno;
  const auto what = [&] { return fmt::format("read {} bytes at {} of", out.size(), offset); };
  if (count < 0) return failure(what(), path_, error);
  if (static_cast<std::size_t>(count) != out.size()) {
    return absl::DataLossError(
        fmt::format("Cannot {} {}: the file ends before", what(), path_.string()));
  }
  return absl::OkStatus();
}

std::optional<FileStamp> SourceFile::current_stamp() const {
  if (unpacked_ != nullptr) return stamp_;  // nobody else can reach it
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return std::nullopt;
  return stamp_of(status);
}

bool SourceFile::is_as_opened() const {
  const std::optional<FileStamp> now = current_stamp();
  return now.has_value() && stamp_.has_same_bytes(*now);
}

bool SourceFile::has_changed() const {
  const std::optional<FileStamp> now = current_stamp();
  return now.has_value() && !stamp_.has_same_bytes(*now);
}

absl::StatusOr<std::vector<std::uint8_t>> SourceFile::read_front(std::size_t most) const {
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(size(), most));
  const std::int64_t count = read_fully(descriptor_, 0, bytes);
  if (count < 0) return failure("read", path_, errno);
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

}  // namespace scidfs::fs
