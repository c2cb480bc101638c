// A bar on the terminal for work that takes long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cache/mutex.h"

namespace scidfs::fs {

// A bar on stderr if that is a terminal. It appears after 0.3 s, is drawn at most ten times a
// second, and is erased by the destructor.
class ProgressBar {
 public:
  // `work` describes the work in a few words; the text outlives the bar.
  explicit ProgressBar(std::string_view work);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Thread-safe.
  void update(std::uint64_t done, std::uint64_t total) ABSL_LOCKS_EXCLUDED(mutex_);
  // Erases the line for other output; the next update draws it again.
  void clear() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string name_;  // of the program
  const std::string_view work_;
  const bool shown_;
  cache::Mutex mutex_;
  Clock::time_point next_ ABSL_GUARDED_BY(mutex_);
  bool drawn_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace scidfs::fs
