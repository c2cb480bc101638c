#include "fs/file/private_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>

#include "fs/base/status_macros.h"
#include "fs/file/descriptors.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/nameless_file.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

std::atomic<std::uint64_t> all_in_memory = 0;

}  // namespace

std::uint64_t private_bytes_in_memory() { return all_in_memory; }

absl::StatusOr<std::shared_ptr<PrivateFile>> PrivateFile::make(const UnpackOptions& options) {
  const int descriptor = ::memfd_create("scidfs", MFD_CLOEXEC);
  if (descriptor < 0) return file_error("open", "memory to unpack into", errno);
  if (is_in_reserve(descriptor)) {
    ::close(descriptor);
    return file_error("open", "memory to unpack into", EMFILE);
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
    // Counts the bytes before they are used, since other threads count at the same time.
    const std::uint64_t all = all_in_memory.fetch_add(bytes) + bytes;
    const bool is_full = options_.to == UnpackTo::Auto && all > options_.most_in_memory;
    if (is_full || options_.to == UnpackTo::File) {
      all_in_memory -= bytes;
      RETURN_IF_ERROR(move_to_file());
    }
  }
  size_ += bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::uint64_t> PrivateFile::reserve(std::uint64_t bytes) {
  cache::MutexLock lock(mutex_);
  const std::uint64_t start = size_;
  RETURN_IF_ERROR(grow(bytes));
  return start;
}

// Holds the lock, as move_to_file() does: new bytes must not be left in the old place.
absl::Status PrivateFile::write(std::uint64_t offset, codec::Bytes bytes) {
  cache::MutexLock lock(mutex_);
  return write_fully(descriptor_, offset, bytes,
                     is_in_memory_ ? "memory" : options_.folder.string());
}

absl::Status PrivateFile::append(codec::Bytes bytes) {
  const absl::StatusOr<std::uint64_t> start = reserve(bytes.size());
  return start.ok() ? write(*start, bytes) : start.status();
}

void PrivateFile::cut(std::uint64_t size) {
  cache::MutexLock lock(mutex_);
  assert(size <= size_);
  if (is_in_memory_) all_in_memory -= size_ - size;
  size_ = size;
  // If this fails, later writes overwrite the bytes.
  [[maybe_unused]] const int result = ::ftruncate(descriptor_, static_cast<off_t>(size));
}

absl::Status PrivateFile::move_to_file() {
  if (options_.folder.empty()) {
    return absl::ResourceExhaustedError(
        "Cannot unpack: there is not enough memory for it, and no cache folder");
  }
  // If this fails, the next call reports an error.
  make_folders(options_.folder).IgnoreError();
  ASSIGN_OR_RETURN(const Descriptor file, open_nameless(options_.folder));
  RETURN_IF_ERROR(copy_to(file.get()));
  // The number stays the same: a reader gets the bytes from either file.
  if (::dup3(file.get(), descriptor_, O_CLOEXEC) < 0) {
    return file_error("write into", options_.folder.native(), errno);
  }
  all_in_memory -= size_;
  is_in_memory_ = false;
  return absl::OkStatus();
}

absl::Status PrivateFile::copy_to(int file) const {
  std::array<std::uint8_t, kPiece> buffer;
  for (std::uint64_t done = 0; done < size_;) {
    if (options_.is_cancelled != nullptr && options_.is_cancelled()) {
      return absl::CancelledError("Cannot unpack: cancelled by the caller");
    }
    const auto most = std::min<std::uint64_t>(buffer.size(), size_ - done);
    ASSIGN_OR_RETURN(const std::size_t count, read(done, std::span(buffer).first(most)));
    if (count == 0) break;  // reserved, and not written yet
    const auto bytes = codec::Bytes(buffer).first(count);
    RETURN_IF_ERROR(write_fully(file, done, bytes, options_.folder.native()));
    done += bytes.size();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> PrivateFile::read(std::uint64_t offset,
                                              std::span<std::uint8_t> out) const {
  return read_up_to(descriptor_, offset, out, "what was unpacked");
}

absl::StatusOr<std::size_t> PrivateRange::read(std::uint64_t offset,
                                               std::span<std::uint8_t> out) const {
  assert(has_value());
  if (offset >= size_) return 0;
  return file_->read(offset_ + offset,
                     out.first(std::min<std::uint64_t>(out.size(), size_ - offset)));
}

}  // namespace scidfs::fs
