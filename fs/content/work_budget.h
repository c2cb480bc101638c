// What an answer may cost.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace scidfs::fs {

// Some answers take work that was not done before: the size of a file of a million games wants each
// of them decoded once. Whoever asks says how much of that may be done on the spot. All that is
// done for one answer, or for the entries of one listing, is taken off the same effort. Each step
// is counted before it begins: as games, of which a long one counts as several
// (fs/database/decoding.h), and other work as the games that are decoded in its time.
class WorkBudget {
 public:
  // Decodes at most so many games (or work that takes about as long), on the calling thread, which
  // alone may use it.
  static WorkBudget limited(std::size_t games) { return WorkBudget(games, 1, nullptr); }
  // As much as it takes, on `threads` threads (0: one for each processor). `is_over` is asked
  // often, by any of them at once: whether nobody waits for the answer any more. Then the answer is
  // Cancelled.
  static WorkBudget unlimited(std::function<bool()> is_cancelled, unsigned threads = 0) {
    return WorkBudget(std::numeric_limits<std::size_t>::max(), threads, std::move(is_cancelled));
  }

  // Takes the decoding of so many games off what is left. False if that is too much; then the
  // answer is Unavailable, and is to be asked for again with more.
  bool spend(std::size_t games) const {
    if (is_unlimited()) return true;
    if (games > left_) return false;
    left_ -= games;
    return true;
  }
  // How many games are left.
  std::size_t left() const { return left_; }
  bool is_unlimited() const { return is_unlimited_; }
  // Whether the answer may wait for a server that perhaps never answers.
  bool may_wait() const { return is_unlimited(); }
  // For run_parallel(), by way of thread_count().
  unsigned threads() const { return threads_; }
  bool is_cancelled() const { return is_cancelled_ != nullptr && is_cancelled_(); }
  // The answer then; and the one if more effort is wanted.
  static absl::Status cancelled() { return absl::CancelledError("nobody waits any more"); }
  static absl::Status exceeded() { return absl::UnavailableError("that takes more effort"); }

 private:
  WorkBudget(std::size_t games, unsigned threads, std::function<bool()> is_cancelled)
      : left_(games),
        is_unlimited_(games == std::numeric_limits<std::size_t>::max()),
        threads_(threads),
        is_cancelled_(std::move(is_cancelled)) {}

  mutable std::size_t left_;  // stays as it is if the effort is whole
  bool is_unlimited_;
  unsigned threads_;
  std::function<bool()> is_cancelled_;
};

}  // namespace scidfs::fs
