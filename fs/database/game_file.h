// The game file of a database (.sg4, ...) as it was when it was opened.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cassert>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "cache/mutex.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A game file that returns only bytes that it had when it was opened, even if it has changed since.
// The first read of a chunk is accepted if the file has its old size and time afterwards, and
// records a checksum of the chunk. Later reads must have that checksum. So a reader may continue
// after Scid has added records at the end, and gets an error where a program overwrote them.
// Immutable except for new checksums. Thread-safe. Takes 8 bytes for each chunk up to the last
// record, unless the records lie so far apart that most chunks have none: then there are no
// checksums, and reads are accepted only if the file has its old size and time.
class GameFile {
 public:
  // Files are read and checked in chunks of this many bytes; the last one may be shorter.
  static constexpr std::size_t kChunk = std::size_t{8} << 10;

  // Opens a file as SourceFile does. Errors name the path and the cause.
  static absl::StatusOr<GameFile> open(const std::filesystem::path& path,
                                       const FileOrigin& origin = {});
  // Makes a missing file: empty.
  GameFile() = default;

  // Sets where the last record ends, and how many bytes all records have. Call this once, before
  // any read. Bytes after the last record cost no memory, however long the file is.
  void expect_records(std::uint64_t end, std::uint64_t bytes);
  // Returns how many chunks will have a checksum after expect_records().
  std::size_t chunks_to_sum(std::uint64_t end, std::uint64_t bytes) const;

  const FileStamp& stamp() const { return file_.stamp(); }
  bool is_remote() const { return file_.is_remote(); }
  std::uint64_t size() const { return file_.size(); }
  // Returns the number of chunks up to the last record.
  std::size_t chunks() const { return chunks_; }
  // Returns how many of those have a checksum: all or none.
  std::size_t summed_chunks() const { return sums_.size(); }

  // When to check that bytes are those of the opened file: on reading them, or later, for a caller
  // that reads much and shows nothing before, by is_as_opened() afterwards.
  enum class Check : std::uint8_t { Now, Later };

  // Reads `count` chunks from number `first`. Returns FailedPrecondition if they have changed, or
  // this is unknown; DataLoss if they cannot be read. REQUIRES: first + count <= chunks().
  absl::Status read(std::size_t first, std::size_t count, std::vector<std::uint8_t>& out,
                    Check check = Check::Now) const;
  // Returns whether the file still has its old size and time. If not, the caller must repeat its
  // reads with Check::Later.
  bool is_as_opened() const { return file_.is_as_opened(); }
  // Returns whether reads fail because a program has overwritten or cut the file. Tries some chunks
  // all over it.
  bool has_lost_bytes() const;

  // Reads `length` bytes at `offset` and nothing around them, where a chunk cannot be read as a
  // whole or need not be. Errors as for read(). Accepts only a file with its old size and time.
  absl::Status read_exactly(std::uint64_t offset, std::size_t length,
                            std::vector<std::uint8_t>& out, Check check = Check::Now) const;

  // Says that these bytes, of any length, will be read soon: see SourceFile::expect().
  void expect(std::uint64_t offset, std::uint64_t length) const;

  // The chunks of a remote file in a nameless file on a disk of this machine.
  using LocalCopy = std::shared_ptr<const PrivateRange>;
  // Copies the chunks of a remote file to the file system of `folder`, for work that reads all of
  // them several times: as long as the copy exists, reads take their bytes from it, and the server
  // gets no request. Returns null for a local file. Errors: Unimplemented if the records lie so far
  // apart that chunks have no checksums; Cancelled if `stop` returns true; those of read() and of
  // PrivateFile.
  absl::StatusOr<LocalCopy> copy_to(const std::filesystem::path& folder,
                                    absl::FunctionRef<bool()> stop) const;

  // Computes the checksums of all readable chunks, unless `stop` returns true.
  void sum_up(absl::FunctionRef<bool()> stop) const;
  // Returns whether the chunks of `length` bytes at `offset` are known to be the same in another
  // version.
  bool has_same_chunks(const GameFile& other, std::uint64_t offset, std::uint64_t length) const;

  // Returns whether this file begins with all bytes of another version, as far as those are known.
  bool begins_with(const GameFile& before) const;

  // Returns the checksums, for a file with the same stamp; 0 for unknown ones.
  std::vector<std::uint64_t> copy_sums() const;
  // Restores checksums. REQUIRES: sums.size() == summed_chunks()
  void adopt_sums(std::vector<std::uint64_t> sums) {
    assert(sums.size() == summed_chunks());
    sums_ = std::move(sums);
  }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const { return sums_.capacity() * sizeof(sums_[0]); }

 private:
  // Where a remote file has its copy.
  struct CopyPlace {
    cache::Mutex mutex;
    std::weak_ptr<const PrivateRange> copy ABSL_GUARDED_BY(mutex);
  };

  std::uint64_t known_sum(std::size_t chunk) const;
  absl::Status gone() const;
  LocalCopy local_copy() const;
  absl::Status read_bytes(std::uint64_t offset, std::span<std::uint8_t> out) const;

  SourceFile file_;
  std::unique_ptr<CopyPlace> copy_;  // null: the file is local
  std::size_t chunks_ = 0;
  // Accessed only through std::atomic_ref, once there are several threads; 0: not known yet.
  mutable std::vector<std::uint64_t> sums_;
};

}  // namespace scidfs::fs
