// A database of a PGN file that is read when a request first needs it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "cache/mutex.h"
#include "fs/base/progress.h"
#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/pgn/pgn_file.h"
#include "fs/views/database_snapshot.h"

namespace scidfs::fs {

// A database that was read from a PGN file.
struct ReadDatabase {
  std::shared_ptr<Database> database;
  std::string remarks;  // what was wrong in the file, a line each
  PgnFront front{};     // of the file
};

// What came of reading a file.
struct ReadSource {
  // The database; null if it is refused.
  std::shared_ptr<const DatabaseSnapshot> views;
  // Becomes true when the last size of the database becomes known; null if all are.
  std::shared_ptr<const std::atomic<bool>> sizes_completed;
  std::string remarks;      // what was wrong in the file, a line each
  PgnFront front{};         // of the file
  std::string refusal;      // why there is no database; empty if there is one
  bool is_damaged = false;  // the file, and therefore refused
  // Of a refusal whose reason is not in the file: returns whether the reason is still there, and
  // may read a disk. Null: it stays.
  std::function<bool()> is_still_refused;
};

// Reads a file once, for the first request that needs it; others wait as long as their budget
// allows. A refusal is kept as long as its reason, an error is not. Thread-safe.
class LazyDatabase {
 public:
  using Ptr = std::shared_ptr<const ReadSource>;
  // Reads the file. Obeys the budget, which is unlimited, and calls the progress with bytes of
  // the file; one thread at a time does.
  using Read = std::function<absl::StatusOr<Ptr>(const WorkBudget& budget, Progress progress)>;

  // The thread that has read the file calls `on_read` afterwards. With `known`, it has been read.
  LazyDatabase(PgnFile file, Read read, std::function<void()> on_read, Ptr known = nullptr)
      : file_(std::move(file)),
        read_(std::move(read)),
        on_read_(std::move(on_read)),
        value_(std::make_shared<Value>(std::move(known))) {}

  const PgnFile& file() const { return file_; }

  // Returns what was read. Errors: Unavailable if it has not been read, or was refused and may not
  // be now, and the budget is limited;
  // Cancelled; those of reading.
  absl::StatusOr<Ptr> get(const WorkBudget& budget) const;
  // Returns null as long as the file has not been read; a refusal also when its reason has gone.
  Ptr made() const { return value()->made(); }

  // How far a thread has come that reads the file; both 0 if none does.
  struct Reading {
    std::uint64_t done = 0;   // bytes
    std::uint64_t total = 0;  // bytes
  };
  Reading reading() const { return {.done = done_, .total = total_}; }

 private:
  using Value = OnceValue<ReadSource>;

  std::shared_ptr<Value> value() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return value_;
  }
  // Has the file be read again, unless another thread has done that since it was refused.
  void forget(const Ptr& refused) const ABSL_LOCKS_EXCLUDED(mutex_);

  const PgnFile file_;
  const Read read_;
  const std::function<void()> on_read_;
  mutable cache::Mutex mutex_;
  mutable std::shared_ptr<Value> value_ ABSL_GUARDED_BY(mutex_);
  mutable std::atomic<std::uint64_t> done_ = 0;
  mutable std::atomic<std::uint64_t> total_ = 0;
};

}  // namespace scidfs::fs
