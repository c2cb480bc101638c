// Room for unpacked bytes: in memory, or in a nameless file of the cache folder.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "cache/mutex.h"
#include "codec/bytes.h"

namespace scidfs::fs {

// Where the unpacked content of archives is kept.
enum class UnpackTo {
  Auto,    // in memory, up to a limit for all together, else in the cache folder
  Memory,  // in memory
  File,    // in the cache folder
};

struct UnpackOptions {
  UnpackTo to = UnpackTo::Auto;
  std::filesystem::path folder{};                           // for files; empty: none
  std::uint64_t most_in_memory = std::uint64_t{256} << 20;  // of Auto
  // Called often while an archive is opened: whether no request needs the archive any more. Null:
  // never.
  std::function<bool()> is_cancelled{};
};

// One file with room for many unpacked files, a range for each. No other program can reach it, and
// nothing is left of it when the object is destroyed or the process is killed. It begins in memory,
// and moves to the cache folder as a whole when it must; readers do not notice. Has one descriptor,
// whose number never changes. Thread-safe.
class PrivateFile {
 public:
  // Makes an empty file. Returns ResourceExhausted if too many files are open.
  static absl::StatusOr<std::shared_ptr<PrivateFile>> make(const UnpackOptions& options);
  ~PrivateFile();
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  // Adds `bytes` bytes at the end, and returns their offset. Returns ResourceExhausted if there is
  // no room, and Cancelled if no request needs them any more. On both errors the file does not
  // change.
  absl::StatusOr<std::uint64_t> reserve(std::uint64_t bytes);
  // Writes into reserved bytes. Returns ResourceExhausted if there is no room.
  absl::Status write(std::uint64_t offset, codec::Bytes bytes);
  // Reserves bytes at the end and writes them.
  absl::Status append(codec::Bytes bytes);
  // Releases the last reserved bytes. REQUIRES: no thread writes or reads them any more.
  void cut(std::uint64_t size);

  std::uint64_t size() const;
  // Returns the number of bytes in memory.
  std::uint64_t memory() const;
  // Reads until `out` is full or the file ends. Returns the number of bytes. The errors are those
  // of read_up_to(). Waits for no other thread.
  absl::StatusOr<std::size_t> read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  PrivateFile(UnpackOptions options, int descriptor)
      : options_(std::move(options)), descriptor_(descriptor) {}

  absl::Status grow(std::uint64_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status move_to_file() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status copy_to(int file) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const UnpackOptions options_;
  const int descriptor_;
  mutable cache::Mutex mutex_;
  std::uint64_t size_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_in_memory_ ABSL_GUARDED_BY(mutex_) = true;
};

// A range of a PrivateFile, which it keeps alive.
class PrivateRange {
 public:
  PrivateRange() = default;
  PrivateRange(std::shared_ptr<const PrivateFile> file, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), offset_(offset), size_(size) {}

  bool has_value() const { return file_ != nullptr; }
  std::uint64_t size() const { return size_; }
  // Reads as PrivateFile::read(), within the range. REQUIRES: has_value().
  absl::StatusOr<std::size_t> read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  std::shared_ptr<const PrivateFile> file_;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

// Returns the number of bytes of all private files in memory.
std::uint64_t private_bytes_in_memory();

}  // namespace scidfs::fs
