// A question of the worker pool: its turns and its memory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>

#include "fs/content/work_budget.h"
#include "fs/requests/question_memory.h"
#include "fs/requests/turns.h"

namespace scidfs::fs {

// An asker for the budget of one question; several threads may work for it.
class PooledQuestion final : public Asker {
 public:
  // `has_left` returns at once and takes no locks; it and `memory` outlive this.
  PooledQuestion(QuestionMemory& memory, uid_t user, const std::function<bool()>& has_left)
      : user_(user), has_left_(has_left), account_(memory, user) {}

  // Makes the question take turns with others from now on.
  void take_turns(Turns& turns) { turn_.emplace(turns, user_, has_left_); }

  bool has_left() const override { return has_left_(); }
  void pause() override {
    if (turn_.has_value()) turn_->pause();
  }
  void will_wait(Asker* maker) override {
    if (turn_.has_value()) turn_->will_wait(maker);
    account_.will_wait();
  }
  void help(uid_t user) override {
    if (turn_.has_value()) turn_->help(user);
    account_.help();
  }
  void end_help() override {
    if (turn_.has_value()) turn_->end_help();
    account_.end_help();
  }
  absl::Status take_memory(std::size_t bytes) override {
    return account_.take(bytes, has_left_, [this] {
      if (turn_.has_value()) turn_->will_wait(nullptr);
    });
  }
  void give_back_memory(std::size_t bytes) override { account_.give_back(bytes); }
  // Returns the most memory that the question has had at a time.
  std::size_t most_memory() const { return account_.most(); }

 private:
  const uid_t user_;
  const std::function<bool()>& has_left_;
  std::optional<Turns::Question> turn_;
  QuestionMemory::Account account_;
};

}  // namespace scidfs::fs
