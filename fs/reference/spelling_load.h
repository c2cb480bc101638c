// A spelling file and FIDE's list of players that are loaded when they are needed.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "fs/file/source_file.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// Reads the files when the first request for people needs them, or before on a thread of its own.
// Any number of threads may use it.
class SpellingLoad {
 public:
  // Wraps a spelling that is already loaded.
  explicit SpellingLoad(std::shared_ptr<const Spelling> spelling)
      : spelling_(std::move(spelling)), is_ready_(true) {}
  // Will read those of the files that there are. `folder` as for Spelling::load().
  SpellingLoad(std::optional<SourceFile> file, std::optional<SourceFile> list,
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
  // Returns the spelling, never null. A file that cannot be used is a warning in the log, and gives
  // no names.
  std::shared_ptr<const Spelling> get() const;

 private:
  std::shared_ptr<const PlayerList> load_list() const;
  std::shared_ptr<const Spelling> load() const;

  mutable std::optional<SourceFile> file_, list_;
  const std::filesystem::path folder_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Spelling> spelling_;
  mutable std::atomic<bool> is_ready_ = false;
  std::atomic<bool> is_over_ = false;
  mutable std::thread thread_;
};

}  // namespace scidfs::fs
