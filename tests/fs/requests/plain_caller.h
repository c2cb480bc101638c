// A caller and a client of a runner without FUSE.
#pragma once

#include <absl/status/statusor.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

#include "fs/base/inode.h"
#include "fs/requests/caller.h"
#include "fs/requests/request_runner.h"

namespace scidfs::fs {

class PlainCaller final : public Caller {
 public:
  explicit PlainCaller(uid_t user = 0) : user_(user) {}

  uid_t user() const override { return user_; }
  bool is_cancelled() const override { return is_cancelled_; }
  bool claim() override { return !is_claimed_.exchange(true); }
  // Interrupts the request. Returns whether it is not replied to any more.
  bool cancel() {
    is_cancelled_ = true;
    return claim();
  }

 private:
  const uid_t user_;
  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> is_claimed_ = false;
};

// A request whose answer a thread waits for.
template <class Value>
class PlainRequest {
 public:
  using Answer = absl::StatusOr<Value>;

  explicit PlainRequest(uid_t user = 0) : caller_(std::make_shared<PlainCaller>(user)) {}

  template <class Ask>
  void run(RequestRunner& runner, Inode inode, Ask ask) {
    runner.run([this] { return caller_; }, inode, std::move(ask), reply());
  }
  template <class Ask>
  void run_when_calm(RequestRunner& runner, Inode directory, std::string_view name, Ask ask) {
    runner.run_when_calm([this] { return caller_; }, directory, name, std::move(ask), reply());
  }
  // Returns whether the answer is there after this time.
  bool is_answered(std::chrono::milliseconds time = std::chrono::milliseconds(0)) const {
    return future_.wait_for(time) == std::future_status::ready;
  }
  // Waits for the answer.
  const Answer& answer() const { return future_.get(); }
  void cancel() {
    if (caller_->cancel()) reply_->give(WorkBudget::cancelled());
  }

 private:
  struct Reply {
    void give(const Answer& answer) {
      if (is_given.exchange(true)) {
        ADD_FAILURE() << "replies twice";
      } else {
        promise.set_value(answer);
      }
    }

    std::atomic<bool> is_given = false;
    std::promise<Answer> promise{};
  };

  auto reply() const {
    return [reply = reply_](const Answer& answer) { reply->give(answer); };
  }

  const std::shared_ptr<PlainCaller> caller_;
  const std::shared_ptr<Reply> reply_ = std::make_shared<Reply>();
  const std::shared_future<Answer> future_ = reply_->promise.get_future().share();
};

}  // namespace scidfs::fs
