// Which questions are at work: those that take long, of all users.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Lets a few questions work at a time. The users take turns: a question that has worked for a slice
// of time gives its turn to the next user's, or else to another one of its user. A user's questions
// take turns in the order in which they came. Thread-safe.
//
// A question gives way where it asks its budget. One that does not ask for long, such as one that
// waits for a lock of another question, loses its turn; so two never block each other. One that
// waits for a value that another makes has the other one work in its place: as the next question
// of its user. So a user never waits for all questions of another.
class Turns {
 public:
  struct Rules {
    std::size_t most = 1;  // at work at a time
    std::chrono::milliseconds slice{50};
    std::chrono::milliseconds patience{1000};  // with a question that does not ask
  };
  // A question. It has no turn before its first pause().
  class Question;

  explicit Turns(Rules rules) : rules_(rules) {}

  // Returns the rules for a machine: one question for each processor.
  static Rules of_processors();
  // Returns how many questions wait for a turn.
  std::size_t waiting() const { return waiting_; }

 private:
  enum class Place { Aside, InLine, AtWork };

  void pause(Question& question) ABSL_LOCKS_EXCLUDED(mutex_);
  void will_wait(Question& question) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes a question work in the turns of a user.
  void work_for(Question& question, uid_t user, bool is_helped) ABSL_LOCKS_EXCLUDED(mutex_);
  void leave(Question& question) ABSL_LOCKS_EXCLUDED(mutex_);
  void line_up(Question& question) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void step_aside(Question& question) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void hand_out() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void take_from_silent() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Rules rules_;
  std::atomic<std::size_t> waiting_ = 0;
  cache::Mutex mutex_;
  cache::CondVar handed_out_;
  std::map<uid_t, std::deque<Question*>> queues_ ABSL_GUARDED_BY(mutex_);  // none is empty
  uid_t last_ ABSL_GUARDED_BY(mutex_) = 0;                                 // user of the last turn
  std::vector<Question*> at_work_ ABSL_GUARDED_BY(mutex_);
};

// An asker for the budget of one question; several threads may work for it.
class Turns::Question final : public Asker {
 public:
  // `has_left` returns at once and takes no locks; it and `turns` outlive this.
  Question(Turns& turns, uid_t user, const std::function<bool()>& has_left)
      : turns_(turns), owner_(user), has_left_(has_left), user_(user) {}
  ~Question() override { turns_.leave(*this); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  bool has_left() const override { return has_left_(); }
  // Waits for a turn if others have it now, or until the asker has left.
  void pause() override {
    if (place_ == Place::AtWork && (turns_.waiting() == 0 || Clock::now() < end_.load())) return;
    turns_.pause(*this);
  }
  void will_wait(Asker* maker) override {
    turns_.will_wait(*this);
    if (maker != nullptr) maker->help(user_);
  }
  void help(uid_t user) override { turns_.work_for(*this, user, true); }
  void end_help() override {
    if (is_helped_) turns_.work_for(*this, owner_, false);
  }

 private:
  friend class Turns;
  using Clock = std::chrono::steady_clock;

  Turns& turns_;
  const uid_t owner_;
  const std::function<bool()>& has_left_;
  // Written under the lock of `turns_`.
  std::atomic<uid_t> user_;  // whose turns it takes
  std::atomic<bool> is_helped_ = false;
  std::atomic<Place> place_ = Place::Aside;
  std::atomic<Clock::time_point> end_{};  // of its turn
};

}  // namespace scidfs::fs
