// Room for bytes that were unpacked: in memory, or in a file of the cache folder that has no name.
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

// Where what is in archives is kept unpacked.
enum class UnpackTo {
  Auto,    // in memory, up to a bound for all together, else in the cache folder
  Memory,  // in memory
  File,    // in the cache folder
};

struct UnpackOptions {
  UnpackTo to = UnpackTo::Auto;
  std::filesystem::path folder{};                           // for files; empty: none
  std::uint64_t most_in_memory = std::uint64_t{256} << 20;  // of Auto
  // Asked often while an archive is opened: whether nobody wants it any more. Null: somebody does.
  std::function<bool()> is_over{};
};

// One file with room for many, a stretch for each. Nobody else can reach it, and nothing is left of
// it when it goes or the process is killed. It begins in memory, and all of it moves to the cache
// folder when it is to lie there; who reads it does not notice. Has one descriptor, always of the
// same number. Thread-safe.
class PrivateFile {
 public:
  // An empty one. ResourceExhausted if too many files are open.
  static absl::StatusOr<std::shared_ptr<PrivateFile>> make(const UnpackOptions& options);
  ~PrivateFile();
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  // Makes `bytes` more at its end, and says where they begin. ResourceExhausted if there is no
  // room; Cancelled if nobody wants it any more. In both cases it is as it was.
  absl::StatusOr<std::uint64_t> reserve(std::uint64_t bytes);
  // Writes into what was reserved. ResourceExhausted if there is no room.
  absl::Status write(std::uint64_t offset, codec::Bytes bytes);
  // Both, at the end.
  absl::Status append(codec::Bytes bytes);
  // Gives back what was reserved last. REQUIRES: nobody writes or reads it any more.
  void cut(std::uint64_t size);

  std::uint64_t size() const;
  // Bytes in memory.
  std::uint64_t memory() const;
  // Reads until `out` is full or the file ends. Returns the number of bytes; errors as those of
  // read_up_to(). Waits for no other thread.
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

// A stretch of such a file, which lives as long as anybody has one.
class PrivateRange {
 public:
  PrivateRange() = default;
  PrivateRange(std::shared_ptr<const PrivateFile> file, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), offset_(offset), size_(size) {}

  bool has_value() const { return file_ != nullptr; }
  std::uint64_t size() const { return size_; }
  // As PrivateFile::read(), within the range. REQUIRES: has_value().
  absl::StatusOr<std::size_t> read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  std::shared_ptr<const PrivateFile> file_;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

// Bytes that all private files together have in memory.
std::uint64_t private_bytes_in_memory();

}  // namespace scidfs::fs
