#include "fs/mount/question_memory.h"

#include <fmt/format.h>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

QuestionMemory::Account::~Account() {
  {
    const cache::MutexLock lock(memory_.mutex_);
    memory_.used_ -= bytes_;
    if (memory_.large_ == this) memory_.large_ = nullptr;
  }
  memory_.given_back_.notify_all();
}

absl::Status QuestionMemory::Account::take(std::size_t bytes, absl::FunctionRef<bool()> has_left,
                                           absl::FunctionRef<void()> will_wait) {
  // The longest delay until this notices that the asker has left.
  constexpr std::chrono::milliseconds kLook(20);
  const std::size_t most = kAlone * memory_.bytes_;
  const cache::MutexLock lock(memory_.mutex_);
  if (bytes_ + bytes > most) {
    return absl::ResourceExhaustedError(fmt::format(
        "A file needs more than {} bytes of memory while it is made: see questions= in scidfs(1)",
        most));
  }
  bool has_told = false;
  while (memory_.used_ + bytes > memory_.bytes_ && memory_.large_ != this) {
    if (memory_.large_ == nullptr) {
      memory_.large_ = this;
      break;
    }
    if (has_left()) return WorkBudget::cancelled();
    if (!has_told) will_wait();
    has_told = true;
    memory_.given_back_.wait_for(memory_.mutex_, kLook);
  }
  bytes_ += bytes;
  memory_.used_ += bytes;
  return absl::OkStatus();
}

void QuestionMemory::Account::give_back(std::size_t bytes) {
  {
    const cache::MutexLock lock(memory_.mutex_);
    bytes_ -= bytes;
    memory_.used_ -= bytes;
  }
  memory_.given_back_.notify_all();
}

void QuestionMemory::Account::will_wait() {
  {
    const cache::MutexLock lock(memory_.mutex_);
    if (memory_.large_ != this) return;
    memory_.large_ = nullptr;
  }
  memory_.given_back_.notify_all();
}

}  // namespace scidfs::fs
