// The cache folder as the place of the records of all PGN files: who may use it, and how much room
// there is.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "cache/mutex.h"
#include "fs/file/folder.h"
#include "fs/pgn/record_files.h"

namespace scidfs::fs {

// All stores of a mount share one object, which lists the folder when it is first asked, and again
// from time to time: of records that other processes add meanwhile it does not know. Thread-safe.
class RecordFolder {
 public:
  static constexpr std::chrono::milliseconds kPatience{3000};

  // Empty `folder`: there is none. `most_bytes` is how much all records may take; 0: 2 GiB, or a
  // tenth of the free space if that is less. `patience`: how long lock() waits.
  explicit RecordFolder(std::filesystem::path folder, std::uint64_t most_bytes = 0,
                        std::chrono::milliseconds patience = kPatience);

  const std::filesystem::path& path() const { return folder_; }
  RecordFiles files(const RecordName& name) const { return RecordFiles(folder_ / name.stem()); }

  // Makes the folder if need be. Returns OK if records may be kept there. Errors: OutOfRange, with
  // the reason and what helps; ResourceExhausted.
  absl::Status prepare() const;
  // Returns how many bytes all records may take now; 0 if none may be kept.
  std::uint64_t room() const;
  // Waits until no other process changes records, or for the patience: then returns no lock, and
  // logs a warning. Errors: Cancelled when `is_cancelled`; ResourceExhausted.
  absl::StatusOr<std::optional<FolderLock>> lock(absl::FunctionRef<bool()> is_cancelled);

  // Return whether there are records of a PGN file, and those of all its states.
  bool has(std::uint64_t path) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<RecordFiles> of_path(std::uint64_t path) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that records have been made. Removes those of other states of the file, and, if all
  // records take more than `room` bytes, or a little more, the oldest of the others. REQUIRES: the
  // folder is locked, if it can be.
  void add(const RecordName& made, std::uint64_t room) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Names = absl::btree_set<RecordName>;

  // Lists the folder.
  void look() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_once() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void make_room(const RecordName& made, std::uint64_t room) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  const std::chrono::milliseconds patience_;
  std::atomic<bool> is_impatient_ = false;  // after it has not got the lock in time
  cache::Mutex mutex_;
  std::optional<Names> known_ ABSL_GUARDED_BY(mutex_);
  // What this process has added since it looked at the lengths of all records; before the first
  // look there may be any number.
  std::uint64_t unseen_bytes_ ABSL_GUARDED_BY(mutex_) = std::uint64_t{1} << 62U;
};

}  // namespace scidfs::fs
