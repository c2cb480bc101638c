// Bytes that are too many for memory: written one after the other into a nameless file, and read as
// one piece.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "codec/bytes.h"
#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Used by one thread.
class Spool {
 public:
  // Makes the file on the file system of `folder`.
  static absl::StatusOr<Spool> make(const std::filesystem::path& folder);
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&&) = delete;
  ~Spool();

  std::uint64_t size() const { return written_ + room_.size(); }
  absl::Status append(codec::Bytes bytes);
  // Returns all bytes, mapped: only this process has the file. Valid as long as this. Nothing is
  // appended afterwards.
  absl::StatusOr<codec::Bytes> map();

 private:
  explicit Spool(Descriptor file) : file_(std::move(file)) {}

  absl::Status flush();

  Descriptor file_;
  std::uint64_t written_ = 0;
  std::vector<std::uint8_t> room_;
  void* mapped_ = nullptr;
};

}  // namespace scidfs::fs
