// Files of our own in memory that all processes share, and that the kernel takes back when it is
// short of any: mapped, only to be read.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/bytes.h"
#include "fs/file/descriptor.h"

namespace scidfs::fs {

// An open file that no program changes: it is under a lease (F_SETLEASE of fcntl(2)). A program
// that wants to write to the file or to cut it waits in the kernel until this process ends the
// lease, at most for /proc/sys/fs/lease-break-time (45 s).
class LeasedFile {
 public:
  // `name` is for messages. Errors: FailedPrecondition if the kernel gives no lease: a program has
  // the file open for writing, it belongs to another user, or its file system has none.
  static absl::StatusOr<LeasedFile> lease(Descriptor file, std::string name);

  int get() const { return file_.get(); }
  const std::string& name() const { return name_; }
  // Returns whether no program waits for the end of the lease.
  bool is_undisputed() const;
  void end();

 private:
  LeasedFile(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  Descriptor file_;
  std::string name_;
};

// Some bytes of a file, and their checksum (cache/hash.h).
struct CheckedBytes {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::uint64_t checksum = 0;

  bool are_right(codec::Bytes found) const { return cache::fingerprint(found) == checksum; }
};

// A mapped file whose bytes never change, even if the file does, and are never wrong:
// - The first thread that reads from a window of it is sent SIGSEGV, since no byte may be read
//   yet. The signal handler compares the checksums there, then lets all threads read. So a mapping
//   costs no time for bytes that are not used. System calls must not get such bytes: they fail with
//   EFAULT instead.
// - Where a checksum is wrong, the thread waits in the signal handler until the file's owner has
//   made the right bytes, then goes on.
// - When a program wants to write to it or to cut it, a thread of this class copies the bytes into
//   memory of this process, in the same place, before it ends the lease.
// - When the kernel sends SIGBUS to a thread that reads (the disk fails; or the process did not run
//   for so long that the lease was broken), that thread waits in the same way.
// - If they can neither be read nor made again, all are 0, and may_show() is false for good: no
//   answer of this process is to be trusted any more.
// Immutable; any number of threads may read it.
class MappedFile {
 public:
  // As many bytes become readable together: a window. A multiple of all page sizes; the kernel
  // bounds the number of parts of a process's memory (vm.max_map_count, 65,530), of which each
  // readable window between others is one.
  static constexpr std::size_t kWindow = std::size_t{1} << 18;

  // Makes this process ready for leases: the kernel sends SIGIO when one is disputed.
  static void prepare();

  // How to get the bytes again. Both are called on a thread of their own, while others wait in the
  // midst of anything: they must neither read the mapped bytes nor take a lock that a reader of
  // them may hold. What they throw counts as false.
  struct Rescue {
    // Returns whether these are the bytes of the file, whose number is right.
    std::function<bool(codec::Bytes)> is_right;
    // Makes them without the file. Returns false if it cannot.
    std::function<bool(std::span<std::uint8_t> out)> make;
  };

  // Maps the first `size` bytes of a file. `checks`: by ascending offset, none within another;
  // bytes between them can be anything. Errors: ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<MappedFile>> map(LeasedFile file, std::size_t size,
                                                         std::vector<CheckedBytes> checks,
                                                         Rescue rescue);
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

  MappedFile(codec::Bytes bytes, LeasedFile file, std::vector<CheckedBytes> checks, Rescue rescue)
      : bytes_(bytes),
        file_(std::move(file)),
        checks_(std::move(checks)),
        are_right_(checks_.size()),
        rescue_(std::move(rescue)) {}
  // Lets threads read near an address. Returns false if a checksum is wrong there. For signal
  // handlers.
  bool make_readable(std::uintptr_t address) const;
  // Returns whether the file has the right bytes there.
  bool is_right(const CheckedBytes& check) const;
  // Fills memory with the bytes. Returns whether it could.
  bool get_again(std::span<std::uint8_t> memory) const;
  // Puts memory of this process in the place of the file, and ends the lease. Returns false if
  // there is none.
  bool replace();

  const codec::Bytes bytes_;
  LeasedFile file_;
  const std::vector<CheckedBytes> checks_;
  mutable std::vector<std::atomic<bool>> are_right_;  // of each check: whether it is known
  const Rescue rescue_;
};

}  // namespace scidfs::fs
