// Files of our own in memory that all processes share, and that the kernel takes back when it is
// short of any: mapped, only to be read.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "codec/bytes.h"
#include "fs/file/descriptor.h"

namespace scidfs::fs {

// A mapped file. No program of ours ever cuts or overwrites one, but a user may cut one, and a disk
// may fail: then the kernel sends SIGBUS to the thread that reads the bytes which are gone. A
// handler of ours has the file's owner make the same bytes again, in memory of this process, while
// that thread waits; it goes on as if nothing had happened. If they cannot be made, all bytes of
// the file are 0 and may_show() is false for good: no answer of this process is to be trusted any
// more. Immutable; any number of threads may read it.
class MappedFile {
 public:
  // Fills `out` with the bytes that the file had when it was mapped; returns false if it cannot.
  // Called on a thread of its own, while others wait in the midst of anything: it must neither read
  // the file nor take a lock that a reader of it may hold. What it throws counts as false.
  using Restore = std::function<bool(std::span<std::uint8_t> out)>;

  // Maps the first `size` bytes of a file, whose `name` is for the log. Errors: ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<MappedFile>> map(const Descriptor& file, std::size_t size,
                                                         std::string name, Restore restore);
  // REQUIRES: no thread reads the bytes any more.
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  codec::Bytes bytes() const { return bytes_; }

  // Returns whether answers may be shown and saved: no bytes of any file were lost for good. Ask
  // when they have been made.
  static bool may_show();

 private:
  class Slots;

  MappedFile(codec::Bytes bytes, std::string name, Restore restore)
      : bytes_(bytes), name_(std::move(name)), restore_(std::move(restore)) {}
  // Puts other bytes in the place of all of the file. Returns false if there is no memory.
  bool replace() const;

  const codec::Bytes bytes_;
  const std::string name_;
  const Restore restore_;
};

}  // namespace scidfs::fs
