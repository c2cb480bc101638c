#include "fs/file/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "cache/sizes_file.h"
#include "fs/file/descriptors.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

std::atomic<std::uint64_t> all_in_memory = 0;

absl::Status failure(std::string_view action, const std::string& where) {
  return absl::ResourceExhaustedError(
      fmt::format("Cannot {} {}: {}", action, where, std::generic_category().message(errno)));
}

// A file without a name in `folder`, or -1.
int open_nameless(const std::filesystem::path& folder) {
  constexpr mode_t kOwner = 0600;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kOwner);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EPERM)) return file;
  // File systems that know no such files.
  static std::atomic<unsigned> count = 0;
  const std::string path = (folder / fmt::format("unpacked-{}-{}", ::getpid(), ++count)).string();
  const int named = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kOwner);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

// False with errno set.
bool write_fully(int file, std::uint64_t offset, codec::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

std::uint64_t private_bytes_in_memory() { return all_in_memory; }

absl::StatusOr<std::shared_ptr<PrivateFile>> PrivateFile::make(const UnpackOptions& options) {
  const int descriptor = ::memfd_create("scidfs", MFD_CLOEXEC);
  if (descriptor < 0) return no_room_to_open("memory to unpack into", errno);
  if (is_in_reserve(descriptor)) {
    ::close(descriptor);
    return no_room_to_open("memory to unpack into", 0);
  }
  return std::shared_ptr<PrivateFile>(new PrivateFile(options, descriptor));
}

PrivateFile::~PrivateFile() {
  ::close(descriptor_);
  if (is_in_memory_) all_in_memory -= size_;
}

std::uint64_t PrivateFile::size() const {
  cache::MutexLock lock(mutex_);
  return size_;
}

std::uint64_t PrivateFile::memory() const {
  cache::MutexLock lock(mutex_);
  return is_in_memory_ ? size_ : 0;
}

absl::Status PrivateFile::grow(std::uint64_t bytes) {
  if (is_in_memory_) {
    // Booked before it is used, for others book at the same time.
    const std::uint64_t all = all_in_memory.fetch_add(bytes) + bytes;
    const bool is_full = options_.to == UnpackTo::Auto && all > options_.most_in_memory;
    if (is_full || options_.to == UnpackTo::File) {
      all_in_memory -= bytes;
      if (absl::Status status = move_to_file(); !status.ok()) return status;
    }
  }
  size_ += bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::uint64_t> PrivateFile::reserve(std::uint64_t bytes) {
  cache::MutexLock lock(mutex_);
  const std::uint64_t start = size_;
  if (absl::Status status = grow(bytes); !status.ok()) return status;
  return start;
}

// Under the lock, as moving is: what is written meanwhile must not be left in the old place.
absl::Status PrivateFile::write(std::uint64_t offset, codec::Bytes bytes) {
  cache::MutexLock lock(mutex_);
  if (write_fully(descriptor_, offset, bytes)) return absl::OkStatus();
  return failure("unpack into", is_in_memory_ ? "memory" : options_.folder.string());
}

absl::Status PrivateFile::append(codec::Bytes bytes) {
  const absl::StatusOr<std::uint64_t> start = reserve(bytes.size());
  return start.ok() ? write(*start, bytes) : start.status();
}

void PrivateFile::cut(std::uint64_t size) {
  cache::MutexLock lock(mutex_);
  if (is_in_memory_) all_in_memory -= size_ - size;
  size_ = size;
  // Where it fails, the bytes are written over later.
  [[maybe_unused]] const int result = ::ftruncate(descriptor_, static_cast<off_t>(size));
}

absl::Status PrivateFile::move_to_file() {
  if (options_.folder.empty()) {
    return absl::ResourceExhaustedError(
        "Cannot unpack: there is not enough memory for it, and no cache folder");
  }
  cache::make_folders(options_.folder);
  const int file = open_nameless(options_.folder);
  if (file < 0) return failure("write into", options_.folder.string());
  absl::Status status = copy_to(file);
  // The number stays the same: whoever is reading gets the bytes from the one or the other.
  if (status.ok() && ::dup3(file, descriptor_, O_CLOEXEC) < 0) {
    status = failure("write into", options_.folder.string());
  }
  ::close(file);
  if (!status.ok()) return status;
  all_in_memory -= size_;
  is_in_memory_ = false;
  return absl::OkStatus();
}

absl::Status PrivateFile::copy_to(int file) const {
  std::array<std::uint8_t, kPiece> buffer;
  for (std::uint64_t done = 0; done < size_;) {
    if (options_.is_over != nullptr && options_.is_over()) {
      return absl::CancelledError("Cannot unpack: nobody waits for it any more");
    }
    const auto most = std::min<std::uint64_t>(buffer.size(), size_ - done);
    const std::int64_t count = read(done, std::span(buffer).first(most));
    if (count < 0) return failure("read", "memory");
    if (count == 0) break;  // reserved, and not written yet
    const auto bytes = codec::Bytes(buffer).first(static_cast<std::size_t>(count));
    if (!write_fully(file, done, bytes)) return failure("unpack into", options_.folder.string());
    done += bytes.size();
  }
  return absl::OkStatus();
}

std::int64_t PrivateFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(descriptor_, out.data() + done, out.size() - done,
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

std::int64_t PrivateRange::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  if (offset >= size_) return 0;
  return file_->read(offset_ + offset,
                     out.first(std::min<std::uint64_t>(out.size(), size_ - offset)));
}

}  // namespace scidfs::fs
