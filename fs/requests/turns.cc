#include "fs/requests/turns.h"

#include <algorithm>
#include <thread>

namespace scidfs::fs {

Turns::Rules Turns::of_processors() {
  return {.most = std::max(1U, std::thread::hardware_concurrency())};
}

void Turns::line_up(Question& question) {
  question.place_ = Place::InLine;
  std::deque<Question*>& queue = queues_[question.user_];
  if (question.is_helped_) {
    queue.push_front(&question);
  } else {
    queue.push_back(&question);
  }
  ++waiting_;
}

void Turns::step_aside(Question& question) {
  if (question.place_ == Place::AtWork) {
    std::erase(at_work_, &question);
  } else if (question.place_ == Place::InLine) {
    const auto queue = queues_.find(question.user_);
    std::erase(queue->second, &question);
    if (queue->second.empty()) queues_.erase(queue);
    --waiting_;
  }
  question.place_ = Place::Aside;
}

void Turns::hand_out() {
  bool is_any = false;
  while (at_work_.size() < rules_.most && !queues_.empty()) {
    auto queue = queues_.upper_bound(last_);
    if (queue == queues_.end()) queue = queues_.begin();
    last_ = queue->first;
    Question& next = *queue->second.front();
    step_aside(next);
    at_work_.push_back(&next);
    next.end_ = Question::Clock::now() + rules_.slice;
    next.place_ = Place::AtWork;
    is_any = true;
  }
  if (is_any) handed_out_.notify_all();
}

// A question that asks has given way long before.
void Turns::take_from_silent() {
  const auto now = Question::Clock::now();
  const auto silent = std::find_if(at_work_.begin(), at_work_.end(), [&](const Question* question) {
    return question->end_.load() + rules_.patience < now;
  });
  if (silent == at_work_.end()) return;
  step_aside(**silent);
  hand_out();
}

void Turns::pause(Question& question) {
  // The longest delay until this notices that the asker has left.
  constexpr std::chrono::milliseconds kLook(20);
  const auto since = Question::Clock::now();
  const cache::MutexLock lock(mutex_);
  if (question.place_ == Place::AtWork && waiting_ != 0 && question.end_.load() <= since) {
    step_aside(question);
  }
  while (question.place_ != Place::AtWork && !question.has_left()) {
    if (question.place_ == Place::Aside) {
      line_up(question);
      hand_out();
      continue;
    }
    handed_out_.wait_for(mutex_, kLook);
    if (Question::Clock::now() - since > rules_.patience) take_from_silent();
  }
}

void Turns::will_wait(Question& question) {
  if (question.place_ == Place::Aside) return;
  const cache::MutexLock lock(mutex_);
  step_aside(question);
  hand_out();
}

void Turns::work_for(Question& question, uid_t user, bool is_helped) {
  const cache::MutexLock lock(mutex_);
  if (question.user_ == user && question.is_helped_ == is_helped) return;
  const bool is_in_line = question.place_ == Place::InLine;
  if (is_in_line) step_aside(question);
  question.user_ = user;
  question.is_helped_ = is_helped;
  if (is_in_line) line_up(question);
}

void Turns::leave(Question& question) {
  const cache::MutexLock lock(mutex_);
  step_aside(question);
  hand_out();
}

}  // namespace scidfs::fs
