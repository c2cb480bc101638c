// Room for bytes that were unpacked: in memory, or in a file of the cache folder that has no name.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

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
};

// Grows by append() and is read-only once shared. Nobody else can reach it, and nothing is left of
// it when it goes or the process is killed.
class PrivateFile {
 public:
  // Costs nothing yet.
  explicit PrivateFile(UnpackOptions options) : options_(std::move(options)) {}
  ~PrivateFile();
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  // ResourceExhausted if there is no room.
  absl::Status append(codec::Bytes bytes);
  std::uint64_t size() const { return size_; }
  // For reading with pread(); -1 if nothing was ever appended.
  int descriptor() const { return descriptor_; }
  bool is_in_memory() const { return in_memory_ != 0; }

 private:
  absl::Status make_room(std::size_t bytes);
  absl::Status move_to_file();
  absl::Status write(codec::Bytes bytes);

  const UnpackOptions options_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t in_memory_ = 0;  // booked
};
using PrivateFilePtr = std::shared_ptr<const PrivateFile>;

// Bytes that all private files together have in memory.
std::uint64_t private_bytes_in_memory();

}  // namespace scidfs::fs
