// A bar on the terminal for work that takes long enough to wonder.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cache/mutex.h"

namespace scidfs::fs {

// Draws on stderr if that is a terminal, after the first 0.3 s, at most ten times a second, and
// wipes the line when it goes.
class ProgressBar {
 public:
  // `work` is what is being done, a few words that outlive the bar.
  explicit ProgressBar(std::string_view work);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // From any thread.
  void update(std::uint64_t done, std::uint64_t total) ABSL_LOCKS_EXCLUDED(mutex_);
  // Wipes the line, so that something else can be printed; the next update draws it again.
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
