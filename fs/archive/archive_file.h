// A Scidb archive as it was when it was opened: which of its members are good, and their bytes.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "codec/scv/archive.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// Everything is unpacked once when it is opened, to see what is whole and how long it is. What
// belongs to databases that can be shown is kept; of the rest, bytes() unpacks again and keeps what
// somebody wants. Thread-safe.
class ArchiveFile {
 public:
  // All members together; beyond that nothing is unpacked.
  static constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 30;

  // Errors: it is no archive, or none of it can be read.
  static absl::StatusOr<std::shared_ptr<const ArchiveFile>> open(SourceFile file,
                                                                 const UnpackOptions& options);

  const SourceFile& file() const { return file_; }
  const codec::scv::Archive& archive() const { return archive_; }
  // What is wrong with a member, by its header or its data.
  codec::scv::Fault fault(std::size_t member) const { return states_[member].fault; }
  bool is_good(std::size_t member) const {
    return fault(member) == codec::scv::Fault::None && archive_.members[member].is_usable();
  }
  // Of its unpacked bytes.
  std::uint64_t size(std::size_t member) const { return states_[member].size; }
  // The size of what is in a good member that is a gzip file; nothing if it is none, or damaged.
  std::optional<std::uint64_t> gunzipped_size(std::size_t member) const {
    return states_[member].gunzipped_size;
  }

  // What is in a good member. FailedPrecondition if the archive has changed since it was opened;
  // ResourceExhausted if there is no room; DataLoss if it cannot be read.
  absl::StatusOr<PrivateFilePtr> bytes(std::size_t member) const;
  // The same of what is in a gzip file. REQUIRES: gunzipped_size(member) has a value.
  absl::StatusOr<PrivateFilePtr> gunzipped(std::size_t member) const;

 private:
  struct State {
    codec::scv::Fault fault = codec::scv::Fault::None;
    std::uint64_t size = 0;
    std::optional<std::uint64_t> gunzipped_size;
  };
  // Made by whoever wants it first, while others that want it wait.
  struct Kept {
    cache::Mutex mutex;
    PrivateFilePtr bytes ABSL_GUARDED_BY(mutex);
    PrivateFilePtr gunzipped ABSL_GUARDED_BY(mutex);
  };

  ArchiveFile(SourceFile file, UnpackOptions options)
      : file_(std::move(file)), options_(std::move(options)) {}

  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    return file_.read(offset, out);
  }
  void look_into_members();
  // Fills in the state of a member, and keeps its bytes if there is room and `is_wanted`.
  void look_into(std::size_t member, bool is_wanted, std::uint64_t most);
  std::optional<std::uint64_t> measure_gunzipped(std::size_t member, std::uint64_t most) const;
  absl::StatusOr<PrivateFilePtr> unpack(std::size_t member) const;
  absl::Status failure(std::size_t member, codec::scv::Fault fault, const absl::Status& room) const;

  SourceFile file_;
  UnpackOptions options_;
  codec::scv::Archive archive_;
  std::vector<State> states_;
  mutable std::vector<std::unique_ptr<Kept>> kept_;
};

}  // namespace scidfs::fs
