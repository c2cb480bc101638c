// What an answer may cost.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace scidfs::fs {

// Some answers take work that was not done before: the size of a file of a million games wants each
// of them decoded once. Whoever asks says how much of that may be done on the spot.
class Effort {
 public:
  // Decodes at most so many games (or work that takes about as long), on the calling thread.
  static Effort quick(std::size_t games) { return Effort(games, 1, nullptr); }
  // As much as it takes, on `threads` threads (0: one for each processor). `is_over` is asked
  // often, by any of them at once: whether nobody waits for the answer any more. Then the answer is
  // Cancelled.
  static Effort whole(std::function<bool()> is_over, unsigned threads = 0) {
    return Effort(std::numeric_limits<std::size_t>::max(), threads, std::move(is_over));
  }

  // Whether so many games may be decoded. If not, the answer is Unavailable, and is to be asked for
  // again with more.
  bool allows(std::size_t games) const { return games <= games_; }
  bool is_whole() const { return games_ == std::numeric_limits<std::size_t>::max(); }
  // Whether the answer may wait for a server that perhaps never answers.
  bool may_wait() const { return is_whole(); }
  std::size_t games() const { return games_; }
  // For run_parallel(), by way of thread_count().
  unsigned threads() const { return threads_; }
  bool is_over() const { return is_over_ != nullptr && is_over_(); }
  // The answer then; and the one if more effort is wanted.
  static absl::Status over() { return absl::CancelledError("nobody waits any more"); }
  static absl::Status too_little() { return absl::UnavailableError("that takes more effort"); }

 private:
  Effort(std::size_t games, unsigned threads, std::function<bool()> is_over)
      : games_(games), threads_(threads), is_over_(std::move(is_over)) {}

  std::size_t games_;
  unsigned threads_;
  std::function<bool()> is_over_;
};

}  // namespace scidfs::fs
