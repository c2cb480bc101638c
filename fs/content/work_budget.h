// How much work an answer may cost.
#pragma once

#include <absl/status/status.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace scidfs::fs {

// The side of a budget that knows who waits for the answer. Thread-safe.
class Asker {
 public:
  virtual ~Asker() = default;
  // Returns whether no caller waits for the answer any more. Never waits.
  virtual bool has_left() const = 0;
  // Is called between two steps of work, often; returns when the work may go on.
  virtual void pause() {}
  // Is called before a thread waits for another one, and again while it waits. That one works for
  // `maker` (null: not known), which may go on in its place.
  virtual void will_wait(Asker* /*maker*/) {}
  // Helps this one to go on: a question of `user` waits for it. Until end_help().
  virtual void help(uid_t /*user*/) {}
  virtual void end_help() {}
  // Takes bytes of memory, beyond those that the answer has; waits while other answers have too
  // much. Errors: ResourceExhausted if no answer may have so much; Cancelled.
  virtual absl::Status take_memory(std::size_t /*bytes*/) { return absl::OkStatus(); }
  virtual void give_back_memory(std::size_t /*bytes*/) {}

 protected:
  Asker() = default;
  Asker(const Asker&) = default;
  Asker& operator=(const Asker&) = default;
};

// A limit of the work for one answer. Some answers take new work: to find the size of a file of a
// million games, each of them must be decoded once. The caller says how much of that may be done on
// the spot. All work for one answer, or for the entries of one listing, counts against the same
// budget. Each step is counted before it begins, in games: a long game counts as several
// (fs/database/decoding.h), and other work as the games that could be decoded in its time.
class WorkBudget {
 public:
  // Allows the decoding of at most `games` games (or work that takes about as long), on the calling
  // thread. Only that thread may use the budget.
  static WorkBudget limited(std::size_t games) { return WorkBudget(games, 1, nullptr); }
  // Allows any amount of work, on `threads` threads (0: one for each processor). Any of them calls
  // `is_cancelled` often, also several at once: whether no caller waits for the answer any more.
  // The answer is Cancelled then.
  static WorkBudget unlimited(std::function<bool()> is_cancelled, unsigned threads = 0) {
    return WorkBudget(std::numeric_limits<std::size_t>::max(), threads, std::move(is_cancelled));
  }
  // Does the same for an asker that outlives the budget: is_cancelled() waits where others have
  // their turn, so no thread calls it with a lock.
  static WorkBudget unlimited(Asker& asker, unsigned threads = 0) {
    WorkBudget budget = unlimited([&asker] { return asker.has_left(); }, threads);
    budget.asker_ = &asker;
    return budget;
  }

  // Takes the decoding of `games` games off the budget. Returns false if that is too much. The
  // answer is Unavailable then, and the caller must ask again with a larger budget.
  bool spend(std::size_t games) const {
    if (is_unlimited()) return true;
    if (games > left_) return false;
    left_ -= games;
    return true;
  }
  // Returns how many games are left.
  std::size_t left() const { return left_; }
  bool is_unlimited() const { return is_unlimited_; }
  // Returns whether the answer may wait for a server that may never answer.
  bool may_wait() const { return is_unlimited(); }
  // Returns the number of threads for run_parallel(), by way of thread_count().
  unsigned threads() const { return threads_; }
  bool is_cancelled() const {
    if (asker_ != nullptr) asker_->pause();
    return has_left();
  }
  // Does the same without waiting: for threads that hold locks.
  bool has_left() const { return is_cancelled_ != nullptr && is_cancelled_(); }
  // Tells the asker that this thread is about to wait for another one, which works for `maker`.
  void will_wait(Asker* maker = nullptr) const {
    if (asker_ != nullptr) asker_->will_wait(maker);
  }
  // Returns null if no asker is known.
  Asker* asker() const { return asker_; }
  // Takes memory in proportion to the games or names of an answer, before it is allocated; gives it
  // back (fs/content/memory_claim.h does that). Errors: those of Asker.
  absl::Status take_memory(std::size_t bytes) const {
    return asker_ == nullptr ? absl::OkStatus() : asker_->take_memory(bytes);
  }
  void give_back_memory(std::size_t bytes) const {
    if (asker_ != nullptr) asker_->give_back_memory(bytes);
  }
  // Return the errors of a cancelled and of an exceeded budget.
  static absl::Status cancelled() { return absl::CancelledError("cancelled by the caller"); }
  static absl::Status exceeded() {
    return absl::UnavailableError("exceeds the budget of the request");
  }

 private:
  WorkBudget(std::size_t games, unsigned threads, std::function<bool()> is_cancelled)
      : left_(games),
        is_unlimited_(games == std::numeric_limits<std::size_t>::max()),
        threads_(threads),
        is_cancelled_(std::move(is_cancelled)) {}

  mutable std::size_t left_;  // does not change if unlimited
  bool is_unlimited_;
  unsigned threads_;
  std::function<bool()> is_cancelled_;
  Asker* asker_ = nullptr;
};

}  // namespace scidfs::fs
