// A spelling file and FIDE's list of players that are loaded when they are needed.
#pragma once

#include <absl/status/status.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "fs/file/source_file.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

struct DataFile {
  SourceFile file;
  bool is_named = false;  // by the user
};

// Logs why a data file cannot be used: an error if the user has named it, else a warning.
void log_unusable(const absl::Status& status, bool is_named);

// Reads the files when the first request for people needs them, or before on a thread of its own.
// Any number of threads may use it.
class SpellingLoad {
 public:
  // Wraps a spelling that is already loaded.
  explicit SpellingLoad(std::shared_ptr<const Spelling> spelling)
      : spelling_(std::move(spelling)), is_ready_(true) {}
  // Will read those of the files that there are. `folder` as for Spelling::load().
  SpellingLoad(std::optional<DataFile> file, std::optional<DataFile> list,
               std::filesystem::path folder)
      : file_(std::move(file)), list_(std::move(list)), folder_(std::move(folder)) {}
  // Stops the thread if it has not finished.
  ~SpellingLoad();
  SpellingLoad(const SpellingLoad&) = delete;
  SpellingLoad& operator=(const SpellingLoad&) = delete;

  // Begins to read on a thread of its own. Call this once at most.
  void begin() const;

  // Returns whether get() returns at once.
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  // Returns the spelling, never null. A file that cannot be used is in the log, and gives no names.
  std::shared_ptr<const Spelling> get() const;

 private:
  std::shared_ptr<const PlayerList> load_list() const;
  std::shared_ptr<const Spelling> load() const;

  mutable std::optional<DataFile> file_, list_;
  const std::filesystem::path folder_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Spelling> spelling_;
  mutable std::atomic<bool> is_ready_ = false;
  std::atomic<bool> is_over_ = false;
  mutable std::thread thread_;
};

}  // namespace scidfs::fs
