// The memory that all questions at work share.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <map>

#include "cache/mutex.h"

namespace scidfs::fs {

// A budget of bytes for all questions that are at work. A user's questions leave a quarter of what
// other users have not taken, so each user finds some. A question that needs more becomes the large
// one, which may have up to kAlone times the budget for itself, beside that of the others; there is
// one large question at a time. Others that need more stand in line until it has ended, or until
// enough has been given back. So there is always a question that goes on. The users in line take
// turns: a user waits for at most one large question of each other. Thread-safe.
//
// The large question hands its right on before it waits for another question: that one may need
// memory to end. Its own bound holds for each of them.
class QuestionMemory {
 public:
  static constexpr std::size_t kAlone = 2;

  // The memory of one question; gives all of it back when it is destroyed. The budget outlives it.
  class Account;

  explicit QuestionMemory(std::size_t bytes) : bytes_(bytes) {}

  // Returns how much all questions have.
  std::size_t used() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return used_;
  }

 private:
  // Count the bytes of a question among those of its user, or no longer.
  void share(const Account& account, std::size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void unshare(const Account& account, std::size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool has_room(const Account& account, std::size_t bytes) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns whether the next large question is this one. REQUIRES: it is in line.
  bool is_next(const Account& account) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A question is in line once for each of its threads that wait.
  void line_up(const Account& account) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void leave_line(const Account& account) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t bytes_;
  mutable cache::Mutex mutex_;
  cache::CondVar given_back_;
  std::size_t used_ ABSL_GUARDED_BY(mutex_) = 0;
  const Account* large_ ABSL_GUARDED_BY(mutex_) = nullptr;  // null: no question is
  uid_t last_ ABSL_GUARDED_BY(mutex_) = 0;                  // user of the last large question
  std::map<uid_t, std::deque<const Account*>> line_ ABSL_GUARDED_BY(mutex_);  // none is empty
  // Without the large question:
  std::size_t shared_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uid_t, std::size_t> of_users_ ABSL_GUARDED_BY(mutex_);  // none is 0
};

class QuestionMemory::Account {
 public:
  Account(QuestionMemory& memory, uid_t user) : memory_(memory), user_(user) {}
  ~Account();
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  // Takes bytes. Calls `will_wait` before it waits, and `has_left` often while it does. Errors:
  // ResourceExhausted if the question would have more than any may; Cancelled if `has_left` returns
  // true.
  absl::Status take(std::size_t bytes, absl::FunctionRef<bool()> has_left,
                    absl::FunctionRef<void()> will_wait);
  void give_back(std::size_t bytes);
  // Returns the most bytes that the question has had at a time.
  std::size_t most() const {
    const cache::MutexLock lock(memory_.mutex_);
    return most_;
  }
  // Lets another question be the large one: this one is about to wait.
  void will_wait();
  // Makes the question need to leave nothing, since others wait for it; or again.
  void help() { is_helped_ = true; }
  void end_help() { is_helped_ = false; }

 private:
  friend class QuestionMemory;

  // Waits in line until there is room, or this is the large question. Errors: Cancelled.
  absl::Status find_room(std::size_t bytes, absl::FunctionRef<bool()> has_left,
                         absl::FunctionRef<void()> will_wait)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(memory_.mutex_);

  QuestionMemory& memory_;
  const uid_t user_;
  std::atomic<bool> is_helped_ = false;
  std::size_t bytes_ ABSL_GUARDED_BY(memory_.mutex_) = 0;
  std::size_t most_ ABSL_GUARDED_BY(memory_.mutex_) = 0;
};

}  // namespace scidfs::fs
