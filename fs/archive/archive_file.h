// A Scidb archive as it was when it was opened: the state of its members, and their bytes.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "codec/scv/archive.h"
#include "fs/archive/unpack_work.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// The members of an archive. open() unpacks each once, as far as UnpackWork allows, to find out
// whether it is undamaged and how long it is; it begins with databases that can be shown, and keeps
// their members. bytes() unpacks any other member again and then keeps it. One private file holds
// all kept bytes: an archive takes two file descriptors, however many members it has. Thread-safe.
class ArchiveFile {
 public:
  // Errors: the file is no archive, or none of it can be read; ResourceExhausted if too many files
  // are open; Cancelled if options.is_cancelled returns true.
  static absl::StatusOr<std::shared_ptr<const ArchiveFile>> open(SourceFile file,
                                                                 const UnpackOptions& options);

  const SourceFile& file() const { return file_; }
  const codec::scv::Archive& archive() const { return archive_; }
  // Returns what is wrong with a member, by its header or its data.
  codec::scv::Fault fault(std::size_t member) const { return states_[member].fault; }
  bool is_good(std::size_t member) const {
    return fault(member) == codec::scv::Fault::None && archive_.members[member].is_usable();
  }
  // Returns the number of its unpacked bytes.
  std::uint64_t size(std::size_t member) const { return states_[member].size; }
  // Returns the unpacked size of a good member that is a gzip file; nothing if it is none, or
  // damaged.
  std::optional<std::uint64_t> gunzipped_size(std::size_t member) const {
    return states_[member].gunzipped_size;
  }

  // Returns the bytes of a good member. If they are not kept yet, unpacks them, which may take
  // seconds, or waits for another thread that does; later calls return at once. Errors:
  // FailedPrecondition if the archive has changed since it was opened; ResourceExhausted if there
  // is no room; DataLoss if the member cannot be read; Cancelled if `is_cancelled` returns true; it
  // is called every few milliseconds.
  absl::StatusOr<PrivateRange> bytes(std::size_t member,
                                     IsCancelled is_cancelled = never_cancelled) const;
  // Returns the unpacked bytes of a gzip file. REQUIRES: gunzipped_size(member) has a value.
  absl::StatusOr<PrivateRange> gunzipped(std::size_t member,
                                         IsCancelled is_cancelled = never_cancelled) const;
  // Return whether the bytes are kept already.
  bool has_bytes(std::size_t member) const;
  bool has_gunzipped(std::size_t member) const;

  // Returns the memory that all kept bytes take up.
  std::uint64_t memory() const { return kept_file_->memory(); }

 private:
  struct State {
    codec::scv::Fault fault = codec::scv::Fault::None;
    std::uint64_t size = 0;
    std::optional<std::uint64_t> gunzipped_size;
  };
  // An item. The first thread that needs it makes it; other threads wait meanwhile.
  struct Kept {
    enum class Is : std::uint8_t { Missing, InWork, There };
    Is is = Is::Missing;
    std::optional<std::uint64_t> place;  // set once there is room for it
  };
  class Claim;
  using Sink = absl::FunctionRef<absl::Status(codec::Bytes bytes)>;

  ArchiveFile(SourceFile file, std::shared_ptr<PrivateFile> kept)
      : file_(std::move(file)), kept_file_(std::move(kept)) {}

  std::vector<std::size_t> members_in_order(std::vector<bool>& is_wanted) const;
  void look_into_members(UnpackWork& work);
  // Fills in the state of a member, and keeps its bytes if there is room and `is_wanted`.
  void look_into(std::size_t member, bool is_wanted, UnpackWork& work);
  // Unpacks a good member; if `is_gunzipped`, also the gzip file that it is.
  absl::Status unpack(std::size_t member, bool is_gunzipped, IsCancelled is_cancelled,
                      Sink sink) const;
  absl::StatusOr<PrivateRange> obtain(std::size_t member, bool is_gunzipped,
                                      IsCancelled is_cancelled) const;
  absl::Status fill(std::size_t member, bool is_gunzipped, IsCancelled is_cancelled,
                    Claim& claim) const;
  absl::Status failure(std::size_t member, codec::scv::Fault fault) const;

  // By member: unchanged, and gunzipped.
  static std::size_t item_of(std::size_t member, bool is_gunzipped) {
    return 2 * member + (is_gunzipped ? 1 : 0);
  }
  bool has(std::size_t item) const;

  const SourceFile file_;
  const std::shared_ptr<PrivateFile> kept_file_;
  codec::scv::Archive archive_;
  std::vector<State> states_;
  mutable cache::Mutex mutex_;
  mutable std::vector<Kept> kept_ ABSL_GUARDED_BY(mutex_);  // by item
};

}  // namespace scidfs::fs
