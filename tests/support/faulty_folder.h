// A folder with a bad disk, at the times that a test chooses.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/support/mount.h"

namespace scidfs::tests {

// Shows a folder through a FUSE file system in a separate process: programs that read there see the
// errors of failing disks and servers, and the kernel caches nothing. REQUIRES: made while the test
// has one thread.
class FaultyFolder {
 public:
  explicit FaultyFolder(const std::filesystem::path& target);
  // Unmounts; reads of files that are still open fail.
  ~FaultyFolder();
  FaultyFolder(const FaultyFolder&) = delete;
  FaultyFolder& operator=(const FaultyFolder&) = delete;

  bool ok() const { return server_ > 0; }
  const std::filesystem::path& path() const { return mountpoint_; }
  std::filesystem::path operator/(std::string_view name) const { return mountpoint_ / name; }

  // Reads of a file with this extension that touch its bytes first .. last-1 fail with `error`.
  void fail_reads(std::string_view extension, std::uint64_t first, std::uint64_t last, int error);
  // A read returns at most so many bytes; 0: as many as requested.
  void limit_reads(std::size_t bytes);
  // Delays every read.
  void delay_reads(unsigned milliseconds);
  // Files can no longer be opened.
  void fail_opens(int error);
  // Removes all of these faults.
  void heal();
  // The number of reads that have failed or are being delayed.
  unsigned faults() const;
  // Kills the server: all operations on the folder fail.
  void kill();

  struct Commands;

 private:
  TemporaryFolder folder_;
  std::filesystem::path mountpoint_;
  Commands* commands_;  // in memory shared with the server
  pid_t server_ = -1;
};

}  // namespace scidfs::tests
