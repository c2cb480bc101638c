#include "fs/file/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

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

}  // namespace

std::uint64_t private_bytes_in_memory() { return all_in_memory; }

PrivateFile::~PrivateFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  all_in_memory -= in_memory_;
}

absl::Status PrivateFile::append(codec::Bytes bytes) {
  if (bytes.empty()) return absl::OkStatus();
  if (absl::Status status = make_room(bytes.size()); !status.ok()) return status;
  return write(bytes);
}

absl::Status PrivateFile::make_room(std::size_t bytes) {
  if (descriptor_ >= 0 && in_memory_ == 0) return absl::OkStatus();  // on disk
  if (options_.to == UnpackTo::File) return move_to_file();
  const std::uint64_t before = all_in_memory.fetch_add(bytes);
  in_memory_ += bytes;
  if (options_.to == UnpackTo::Auto && before + bytes > options_.most_in_memory) {
    return move_to_file();
  }
  if (descriptor_ < 0) descriptor_ = ::memfd_create("scidfs", MFD_CLOEXEC);
  return descriptor_ >= 0 ? absl::OkStatus() : failure("unpack into", "memory");
}

absl::Status PrivateFile::move_to_file() {
  if (options_.folder.empty()) {
    return absl::ResourceExhaustedError(
        "Cannot unpack: there is not enough memory for it, and no cache folder");
  }
  // What cannot be made cannot be written into, which is said next.
  make_folders(options_.folder).IgnoreError();
  const int memory = std::exchange(descriptor_, open_nameless(options_.folder));
  absl::Status status =
      descriptor_ >= 0 ? absl::OkStatus() : failure("write into", options_.folder.string());
  std::array<std::uint8_t, std::size_t{64} << 10> buffer;
  const std::uint64_t end = std::exchange(size_, 0);
  while (memory >= 0 && status.ok() && size_ < end) {
    const ssize_t count = ::pread(memory, buffer.data(), buffer.size(), static_cast<off_t>(size_));
    status = count > 0 ? write(codec::Bytes(buffer).first(static_cast<std::size_t>(count)))
                       : failure("read", "memory");
  }
  if (memory >= 0) ::close(memory);
  all_in_memory -= std::exchange(in_memory_, 0);
  return status;
}

absl::Status PrivateFile::write(codec::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failure("unpack into", is_in_memory() ? "memory" : options_.folder);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    size_ += static_cast<std::uint64_t>(count);
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
