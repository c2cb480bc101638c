#include "fs/requests/question_memory.h"

#include <absl/cleanup/cleanup.h>
#include <fmt/format.h>

#include <algorithm>

#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

void QuestionMemory::share(const Account& account, std::size_t bytes) {
  if (bytes == 0) return;
  shared_ += bytes;
  of_users_[account.user_] += bytes;
}

void QuestionMemory::unshare(const Account& account, std::size_t bytes) {
  if (bytes == 0) return;
  shared_ -= bytes;
  const auto user = of_users_.find(account.user_);
  user->second -= bytes;
  if (user->second == 0) of_users_.erase(user);
}

bool QuestionMemory::has_room(const Account& account, std::size_t bytes) const {
  if (large_ == &account) return true;
  if (shared_ + bytes > bytes_) return false;
  if (account.is_helped_) return true;
  const auto found = of_users_.find(account.user_);
  const std::size_t of_user = found == of_users_.end() ? 0 : found->second;
  const std::size_t not_of_others = bytes_ - (shared_ - of_user);
  return of_user + bytes <= not_of_others - not_of_others / 4;
}

bool QuestionMemory::is_next(const Account& account) const {
  auto queue = line_.upper_bound(last_);
  if (queue == line_.end()) queue = line_.begin();
  return queue->second.front() == &account;
}

void QuestionMemory::line_up(const Account& account) { line_[account.user_].push_back(&account); }

// The place may be free and the turn may have passed to another one, which sleeps.
void QuestionMemory::leave_line(const Account& account) {
  const auto queue = line_.find(account.user_);
  queue->second.erase(std::ranges::find(queue->second, &account));
  if (queue->second.empty()) line_.erase(queue);
  if (!line_.empty()) given_back_.notify_all();
}

QuestionMemory::Account::~Account() {
  {
    const cache::MutexLock lock(memory_.mutex_);
    if (memory_.large_ == this) {
      memory_.large_ = nullptr;
    } else {
      memory_.unshare(*this, bytes_);
    }
    memory_.used_ -= bytes_;
  }
  memory_.given_back_.notify_all();
}

absl::Status QuestionMemory::Account::find_room(std::size_t bytes,
                                                absl::FunctionRef<bool()> has_left,
                                                absl::FunctionRef<void()> will_wait) {
  // The longest delay until this notices that the asker has left.
  constexpr std::chrono::milliseconds kLook(20);
  if (memory_.has_room(*this, bytes)) return absl::OkStatus();
  memory_.line_up(*this);
  const absl::Cleanup leave = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(memory_.mutex_) {
    memory_.leave_line(*this);
  };
  bool has_told = false;
  while (!memory_.has_room(*this, bytes)) {
    if (memory_.large_ == nullptr && memory_.is_next(*this)) {
      memory_.unshare(*this, bytes_);
      memory_.large_ = this;
      memory_.last_ = user_;
      break;
    }
    if (has_left()) return WorkBudget::cancelled();
    if (!has_told) will_wait();
    has_told = true;
    memory_.given_back_.wait_for(memory_.mutex_, kLook);
  }
  return absl::OkStatus();
}

absl::Status QuestionMemory::Account::take(std::size_t bytes, absl::FunctionRef<bool()> has_left,
                                           absl::FunctionRef<void()> will_wait) {
  const std::size_t most = kAlone * memory_.bytes_;
  const cache::MutexLock lock(memory_.mutex_);
  if (bytes_ + bytes > most) {
    return absl::ResourceExhaustedError(fmt::format(
        "A file needs more than {} bytes of memory while it is made: see questions= in scidfs(1)",
        most));
  }
  RETURN_IF_ERROR(find_room(bytes, has_left, will_wait));
  if (memory_.large_ != this) memory_.share(*this, bytes);
  bytes_ += bytes;
  most_ = std::max(most_, bytes_);
  memory_.used_ += bytes;
  return absl::OkStatus();
}

void QuestionMemory::Account::give_back(std::size_t bytes) {
  {
    const cache::MutexLock lock(memory_.mutex_);
    if (memory_.large_ != this) memory_.unshare(*this, bytes);
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
    memory_.share(*this, bytes_);
  }
  memory_.given_back_.notify_all();
}

}  // namespace scidfs::fs
