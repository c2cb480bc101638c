// One file of the source, opened for reading only.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fs/file/descriptor.h"
#include "fs/file/locality.h"
#include "fs/file/private_file.h"
#include "fs/file/time.h"

namespace scidfs::fs {

// The data that distinguish one version of a file from another. The bytes are the same if
// everything except ctime is. The ctime changes with any change, also of name or mode, and even if
// a program resets the mtime.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
  std::int64_t ctime = 0;  // nanoseconds

  FileTime mtime() const { return {mtime_seconds, mtime_nanoseconds}; }
  bool is_same_file(const FileStamp& other) const {
    return device == other.device && inode == other.inode;
  }
  bool has_same_bytes(const FileStamp& other) const {
    return is_same_file(other) && size == other.size && mtime_seconds == other.mtime_seconds &&
           mtime_nanoseconds == other.mtime_nanoseconds;
  }
  // Returns whether the file may have an earlier state's bytes, and more after them.
  bool may_continue(const FileStamp& earlier) const {
    return is_same_file(earlier) && size > earlier.size;
  }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Returns the stamp of the file at a path; all zeros if there is none.
FileStamp stamp_of(const std::filesystem::path& path);

// A file that was unpacked from another one, treated as if it were on disk.
struct UnpackedFile {
  PrivateRange bytes;
  FileStamp stamp;
};
// Unpacked files by their paths, which do not exist on disk.
using UnpackedFiles = std::map<std::filesystem::path, UnpackedFile>;

// Where files come from that are opened by their paths.
class FileOrigin {
 public:
  // Files on disk. A link is followed, but not out of the folder `boundary` (a real path; empty:
  // anywhere).
  FileOrigin(std::filesystem::path boundary = {}, Locality locality = Locality::Auto)
      : boundary_(std::move(boundary)), locality_(locality) {}
  // Unpacked files only.
  FileOrigin(std::shared_ptr<const UnpackedFiles> files) : files_(std::move(files)) {}

  const std::filesystem::path& boundary() const { return boundary_; }
  const UnpackedFiles* files() const { return files_.get(); }
  // Returns the user's setting.
  Locality locality() const { return locality_; }

 private:
  std::filesystem::path boundary_;
  Locality locality_ = Locality::Auto;
  std::shared_ptr<const UnpackedFiles> files_;
};

// Reads with pread and never maps: a file that another program truncates must cause an error, not a
// SIGBUS. Thread-safe.
class SourceFile {
 public:
  // Opens a regular file. Errors name the path and the cause. Returns ResourceExhausted if too many
  // files are open (see descriptors.h) or memory is short: that says nothing about the file.
  static absl::StatusOr<SourceFile> open(const std::filesystem::path& path,
                                         const FileOrigin& origin = {});
  // Returns an unpacked file as if it were at this path.
  static SourceFile unpacked(const std::filesystem::path& path, const UnpackedFile& file);
  // Makes a missing file: empty, and every read fails.
  SourceFile() = default;

  // Returns the stamp that the file had when it was opened.
  const FileStamp& stamp() const { return stamp_; }
  std::uint64_t size() const { return stamp_.size; }
  const std::filesystem::path& path() const { return path_; }
  // Returns the space on disk that the file took when it was opened. Far less than its size if most
  // of it has never been written.
  std::uint64_t size_on_disk() const { return size_on_disk_; }
  // Returns whether reads may take long, or never end (fs/file/locality.h).
  bool is_remote() const { return is_remote_; }
  // Returns whether the file still has the size and the time that it had when it was opened. False
  // also if the file system does not answer.
  bool is_as_opened() const;
  // Returns whether it has, or may have no more than grown since.
  bool may_begin_as_opened() const;
  // Takes the file for an earlier state of it, which it may continue: from now on it has the bytes
  // that it had then. REQUIRES: stamp().may_continue(earlier).
  void cut_to(const FileStamp& earlier);

  // Fills `out` from `offset`. Returns DataLoss if the file ends before or cannot be read, but
  // FailedPrecondition if it has certainly changed since it was opened: then there is another
  // version.
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const;
  // Returns up to `most` bytes from the start: as many as the file had when it was opened, or fewer
  // if it has been truncated since.
  absl::StatusOr<std::vector<std::uint8_t>> read_front(std::size_t most) const;

  // Says that these bytes will be read soon. For a remote file the system requests them now, in
  // large pieces of which several are in flight at once. The call does not wait for them, unless
  // too many are in flight. Does nothing for local files, which are fast enough, and for bytes that
  // the system has already.
  void expect(std::uint64_t offset, std::uint64_t length) const;

 private:
  // Returns the current stamp; nothing if the file system does not answer.
  std::optional<FileStamp> current_stamp() const;
  // Returns the error for a failed read.
  absl::Status explained(absl::Status failure) const;
  // Reads until `out` is full or the file ends. Returns the number of bytes.
  absl::StatusOr<std::size_t> read_some(std::uint64_t offset, std::span<std::uint8_t> out) const;

  // One of these is used.
  Descriptor own_;
  PrivateRange unpacked_;
  FileStamp stamp_;
  std::uint64_t size_on_disk_ = 0;
  bool is_remote_ = false;
  std::filesystem::path path_;
};

}  // namespace scidfs::fs
