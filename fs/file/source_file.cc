#include "fs/file/source_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/file/descriptors.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

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
  if (origin.files() != nullptr) {
    const auto found = origin.files()->find(path);
    if (found == origin.files()->end()) return file_error("open", path.native(), ENOENT);
    return unpacked(path, found->second);
  }
  // Does not follow links: a file that became a link after a check is not opened.
  SourceFile file;
  file.path_ = path;
  file.own_ = Descriptor(::open(path.c_str(), kOpenToRead));
  if (!file.own_.ok() && errno == ELOOP) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::canonical(path, error);
    if (error) return file_error("open", path.native(), error.value());
    if (!is_at_or_below(target, origin.boundary())) {
      return absl::InvalidArgumentError(
          fmt::format("Cannot open {}: a link out of the source", path.string()));
    }
    file.own_ = Descriptor(::open(target.c_str(), kOpenToRead));
  }
  if (!file.own_.ok()) return file_error("open", path.native(), errno);
  if (is_in_reserve(file.own_.get())) return file_error("open", path.native(), EMFILE);
  struct stat status {};
  if (::fstat(file.own_.get(), &status) != 0) return file_error("open", path.native(), errno);
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot open {}: it is not a regular file", path.string()));
  }
  constexpr std::uint64_t kUnit = 512;  // of st_blocks
  file.stamp_ = stamp_of(status);
  file.size_on_disk_ = static_cast<std::uint64_t>(status.st_blocks) * kUnit;
  file.is_remote_ = fs::is_remote(file.own_.get(), origin.locality());
  return file;
}

SourceFile SourceFile::unpacked(const std::filesystem::path& path, const UnpackedFile& file) {
  SourceFile made;
  made.path_ = path;
  made.unpacked_ = file.bytes;
  made.stamp_ = file.stamp;
  made.size_on_disk_ = made.stamp_.size;
  return made;
}

absl::Status SourceFile::explained(absl::Status failure) const {
  const std::optional<FileStamp> now = current_stamp();
  if (!now.has_value() || stamp_.has_same_bytes(*now)) return failure;
  return absl::FailedPreconditionError(
      fmt::format("{} has changed since it was opened", path_.native()));
}

absl::StatusOr<std::size_t> SourceFile::read_some(std::uint64_t offset,
                                                  std::span<std::uint8_t> out) const {
  return unpacked_.has_value() ? unpacked_.read(offset, out)
                               : read_up_to(own_.get(), offset, out, path_.native());
}

absl::Status SourceFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  const absl::StatusOr<std::size_t> count = read_some(offset, out);
  if (!count.ok()) return explained(count.status());
  if (*count == out.size()) return absl::OkStatus();
  return explained(
      absl::DataLossError(fmt::format("Cannot read {} bytes at {} of {}: the file ends before",
                                      out.size(), offset, path_.native())));
}

std::optional<FileStamp> SourceFile::current_stamp() const {
  if (unpacked_.has_value()) return stamp_;  // no other program can reach it
  struct stat status {};
  if (::fstat(own_.get(), &status) != 0) return std::nullopt;
  return stamp_of(status);
}

bool SourceFile::is_as_opened() const {
  const std::optional<FileStamp> now = current_stamp();
  return now.has_value() && stamp_.has_same_bytes(*now);
}

bool SourceFile::may_begin_as_opened() const {
  const std::optional<FileStamp> now = current_stamp();
  return now.has_value() && (stamp_.has_same_bytes(*now) || now->may_continue(stamp_));
}

void SourceFile::cut_to(const FileStamp& earlier) {
  assert(stamp_.may_continue(earlier));
  stamp_ = earlier;
}

void SourceFile::expect(std::uint64_t offset, std::uint64_t length) const {
  if (!is_remote_) return;
  // The maximum that the system takes at a time, and that most file systems send in one answer.
  constexpr std::uint64_t kAtATime = std::uint64_t{128} << 10;
  const std::uint64_t end = std::min(size(), offset + length);
  while (offset < end) {
    const std::uint64_t next = std::min(end, (offset / kAtATime + 1) * kAtATime);
    // If this fails, the later read reports the error.
    ::posix_fadvise(own_.get(), static_cast<off_t>(offset), static_cast<off_t>(next - offset),
                    POSIX_FADV_WILLNEED);
    offset = next;
  }
}

absl::StatusOr<std::vector<std::uint8_t>> SourceFile::read_front(std::size_t most) const {
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(size(), most));
  expect(0, bytes.size());
  ASSIGN_OR_RETURN(const std::size_t count, read_some(0, bytes));
  bytes.resize(count);
  return bytes;
}

}  // namespace scidfs::fs
