// A folder whose disk is bad, whenever a test says so.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/support/mount.h"

namespace scidfs::tests {

// Shows a folder through a FUSE file system of its own, in a process of its own: a program that
// reads there sees what failing disks and servers do, and the kernel caches nothing.
// REQUIRES: made while the test has one thread.
class FaultyFolder {
 public:
  explicit FaultyFolder(const std::filesystem::path& target);
  // Unmounts; programs that still have files open see them fail.
  ~FaultyFolder();
  FaultyFolder(const FaultyFolder&) = delete;
  FaultyFolder& operator=(const FaultyFolder&) = delete;

  bool ok() const { return server_ > 0; }
  const std::filesystem::path& path() const { return mountpoint_; }
  std::filesystem::path operator/(std::string_view name) const { return mountpoint_ / name; }

  // Reads of a file with this extension that touch its bytes first .. last-1 fail with `error`.
  void fail_reads(std::string_view extension, std::uint64_t first, std::uint64_t last, int error);
  // A read gives at most so many bytes; 0: as many as are asked for.
  void limit_reads(std::size_t bytes);
  // Every read takes so long.
  void delay_reads(unsigned milliseconds);
  // Files can be opened no more.
  void fail_opens(int error);
  // None of these any more.
  void heal();
  // How many reads have failed or are being delayed so far.
  unsigned faults() const;
  // The server is gone: whatever is done with the folder fails.
  void kill();

  struct Commands;

 private:
  TemporaryFolder folder_;
  std::filesystem::path mountpoint_;
  Commands* commands_;  // in memory shared with the server
  pid_t server_ = -1;
};

}  // namespace scidfs::tests
