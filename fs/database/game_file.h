// The game file of a database (.sg4, ...) as it was when it was opened.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "fs/file/source_file.h"

namespace scidfs::fs {

// Hands out nothing but bytes that the file had when it was opened, whatever has been done to it
// since. What is read first is believed if the file has its old size and time afterwards, and
// leaves a checksum for each chunk; what is read later must have that checksum. So a reader may go
// on after Scid has added records at the end, and gets an error where somebody wrote over
// them. Immutable but for the checksums that become known. Thread-safe. 8 bytes for each chunk
// where records lie, unless they lie so far apart that most chunks have none: then there are no
// checksums, and only a file with its old size and time is believed.
class GameFile {
 public:
  // Files are read and checked in chunks of this many bytes; the last one may be shorter.
  static constexpr std::size_t kChunk = std::size_t{8} << 10;

  // Opens a file as SourceFile does. Errors name the path and the cause.
  static absl::StatusOr<GameFile> open(const std::filesystem::path& path,
                                       const FileOrigin& origin = {});
  // A file that is not there: empty.
  GameFile() = default;

  // To be called once, before anything is read: where the last record ends, and how many bytes all
  // records have. What lies after the last one costs no memory, however long the file is.
  void expect_records(std::uint64_t end, std::uint64_t bytes);

  const FileStamp& stamp() const { return file_.stamp(); }
  bool is_remote() const { return file_.is_remote(); }
  std::uint64_t size() const { return file_.size(); }
  // Those up to the last record.
  std::size_t chunks() const { return chunks_; }
  // Of those, how many have a checksum: all or none.
  std::size_t summed_chunks() const { return sums_.size(); }

  // When it is made sure that bytes are those that the file had: when they are read, or, for who
  // reads much and shows nothing of it before, by is_as_opened() afterwards.
  enum class Check : std::uint8_t { Now, Later };

  // Reads `count` chunks from number `first`. FailedPrecondition if they are not what they were, or
  // nobody can tell; DataLoss if they cannot be read. REQUIRES: first + count <= chunks().
  absl::Status read(std::size_t first, std::size_t count, std::vector<std::uint8_t>& out,
                    Check check = Check::Now) const;
  // Whether the file still has its old size and time. If not, what was read with Check::Later must
  // be read again.
  bool is_as_opened() const { return file_.is_as_opened(); }

  // Reads `length` bytes at `offset` and nothing around them, where a chunk cannot be read as a
  // whole or need not be. Errors as for read(); only a file with its old size and time is believed.
  absl::Status read_exactly(std::uint64_t offset, std::size_t length,
                            std::vector<std::uint8_t>& out, Check check = Check::Now) const;

  // Says that these bytes, of any length, will be read soon: see SourceFile::expect().
  void expect(std::uint64_t offset, std::uint64_t length) const;

  // Makes the checksums of all chunks known that can be read, unless `stop` says that it is over.
  void sum_up(absl::FunctionRef<bool()> stop) const;
  // Whether the chunks of `length` bytes at `offset` are known to be the same in another version.
  bool has_same_chunks(const GameFile& other, std::uint64_t offset, std::uint64_t length) const;

  // Whether this file begins with all bytes of another version, as far as those are known.
  bool begins_with(const GameFile& before) const;

  // The checksums of a file with the same stamp, 0 for those that are not known.
  std::vector<std::uint64_t> copy_sums() const;
  // REQUIRES: sums.size() == summed_chunks()
  void adopt_sums(std::vector<std::uint64_t> sums) { sums_ = std::move(sums); }

  // Bytes of memory that it costs.
  std::size_t memory() const { return sums_.capacity() * sizeof(sums_[0]); }

 private:
  std::uint64_t known_sum(std::size_t chunk) const;
  absl::Status gone() const;

  SourceFile file_;
  std::size_t chunks_ = 0;
  // Reached through std::atomic_ref only, once there are several threads; 0: not known yet.
  mutable std::vector<std::uint64_t> sums_;
};

}  // namespace scidfs::fs
