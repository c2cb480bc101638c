// A spelling file that is being read.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "fs/file/source_file.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// Reads the file on a thread of its own, beside the opening of databases: nobody waits for it who
// does not ask for people. Any number of threads may ask.
class SpellingLoad {
 public:
  // What is there already.
  explicit SpellingLoad(std::shared_ptr<const Spelling> spelling)
      : spelling_(std::move(spelling)), is_ready_(true) {}
  // Begins to read. `folder` as for Spelling::load().
  SpellingLoad(SourceFile file, std::filesystem::path folder);
  // Gives up what is not done yet.
  ~SpellingLoad();
  SpellingLoad(const SpellingLoad&) = delete;
  SpellingLoad& operator=(const SpellingLoad&) = delete;

  // Whether get() returns at once.
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  // Never null: a file that cannot be used is a warning in the log, and knows nobody.
  std::shared_ptr<const Spelling> get() const;

 private:
  mutable SourceFile file_;
  const std::filesystem::path folder_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Spelling> spelling_;
  mutable std::atomic<bool> is_ready_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace scidfs::fs
