// Answers requests about a tree: the door for what shows it to programs, such as the mount.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "fs/base/inode.h"
#include "fs/content/work_budget.h"
#include "fs/file/mapped_file.h"
#include "fs/library/pending_changes.h"
#include "fs/requests/caller.h"
#include "fs/requests/failures.h"
#include "fs/requests/worker_pool.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// Decides on which thread, and when, a request is answered. A front end hands over two functions:
// - `ask` takes a budget and returns a StatusOr. It is called again if the first budget was too
//   small, and may throw.
// - `reply` takes that result and gives it to the program, once. It replies after everything that
//   may throw; if it throws nevertheless, it gets the exception as a status.
// Both may be called on the calling thread or another one.
//
// Cheap answers that wait for no server are given at once on the calling thread. For the others,
// `make_caller` returns the Caller, a shared_ptr; the code that claims it replies. A front end that
// claims it, such as for a program that has been interrupted, replies in place of `reply`.
// Thread-safe.
class RequestRunner {
 public:
  // `memory`: bytes for all answers that take long (fs/requests/question_memory.h). The tree
  // outlives this.
  explicit RequestRunner(Tree& tree, std::size_t memory = WorkerPool::kMemory)
      : tree_(tree), workers_(memory) {}

  // Returns a budget that a thread may spend which takes requests.
  static WorkBudget quick_budget() { return WorkBudget::limited(kQuickGames); }

  // Returns what `ask` answers within a budget; what it throws is an error.
  template <class Ask>
  static auto asked(const Ask& ask, const WorkBudget& budget) {
    auto answer = caught([&] { return ask(budget); });
    if (!MappedFile::may_show()) answer = lost_answer();
    return answer;
  }

  // Answers a request about `inode`, or an entry in it. If this throws, it has not replied and will
  // not.
  template <class MakeCaller, class Ask, class Reply>
  void run(const MakeCaller& make_caller, Inode inode, Ask ask, Reply reply);
  // Answers a request that is known to exceed the quick budget.
  template <class MakeCaller, class Ask, class Reply>
  void run_slowly(const MakeCaller& make_caller, Inode inode, Ask ask, Reply reply) {
    submit(make_slow(make_caller, inode, std::move(ask), std::move(reply)));
  }
  // Does the same for a name in a directory, or for a listing if it is empty, when a scan has
  // looked at the possible changes there. No thread waits for that.
  template <class MakeCaller, class Ask, class Reply>
  void run_when_calm(const MakeCaller& make_caller, Inode directory, std::string_view name, Ask ask,
                     Reply reply);

  // Makes all answers that take long fail soon.
  void stop() { workers_.stop(); }
  // Calls stop() and waits until all answers have been given. REQUIRES: no request waits for a scan
  // any more (PendingChanges::stop()).
  void close() { workers_.close(); }

 private:
  // About as long as a request takes that finds its answer on a slow disk.
  static constexpr std::size_t kQuickGames = 2000;

  // A request that has not been answered at once.
  class SlowRequest {
   public:
    SlowRequest() = default;
    virtual ~SlowRequest() = default;
    SlowRequest(const SlowRequest&) = delete;
    SlowRequest& operator=(const SlowRequest&) = delete;

    // Both do nothing if another one has claimed the request.
    virtual void answer(const WorkBudget& budget) = 0;
    virtual void fail(const absl::Status& status) = 0;

    Inode inode = 0;
    std::shared_ptr<Caller> caller{};
  };
  template <class Ask, class Reply>
  class SlowRequestOf;

  template <class Answer, class Reply>
  static void give(const Reply& reply, const Answer& answer);
  template <class MakeCaller, class Ask, class Reply>
  static std::shared_ptr<SlowRequest> make_slow(const MakeCaller& make_caller, Inode inode, Ask ask,
                                                Reply reply);
  // Lets the worker pool answer; does not throw.
  void submit(const std::shared_ptr<SlowRequest>& request);
  // Does so when a scan has looked at these changes.
  void submit_when_calm(const std::shared_ptr<SlowRequest>& request,
                        const PendingChanges::Request& changes);

  Tree& tree_;
  WorkerPool workers_;
};

template <class Ask, class Reply>
class RequestRunner::SlowRequestOf final : public SlowRequest {
 public:
  SlowRequestOf(Ask ask, Reply reply) : ask_(std::move(ask)), reply_(std::move(reply)) {}

  void answer(const WorkBudget& budget) override {
    const Answer answer = asked(ask_, budget);
    if (caller->claim()) give(reply_, answer);
  }
  void fail(const absl::Status& status) override {
    if (caller->claim()) give(reply_, Answer(status));
  }

 private:
  using Answer = std::invoke_result_t<const Ask&, const WorkBudget&>;

  const Ask ask_;
  const Reply reply_;
};

template <class Answer, class Reply>
void RequestRunner::give(const Reply& reply, const Answer& answer) {
  const absl::Status failure = caught([&] {
    reply(answer);
    return absl::OkStatus();
  });
  if (!failure.ok()) reply(Answer(failure));
}

// Makes the caller last: from then on another thread may claim the request, so nothing may throw.
template <class MakeCaller, class Ask, class Reply>
std::shared_ptr<RequestRunner::SlowRequest> RequestRunner::make_slow(const MakeCaller& make_caller,
                                                                     Inode inode, Ask ask,
                                                                     Reply reply) {
  std::shared_ptr<SlowRequest> request =
      std::make_shared<SlowRequestOf<Ask, Reply>>(std::move(ask), std::move(reply));
  request->inode = inode;
  request->caller = make_caller();
  return request;
}

template <class MakeCaller, class Ask, class Reply>
void RequestRunner::run(const MakeCaller& make_caller, Inode inode, Ask ask, Reply reply) {
  const auto quick = asked(ask, quick_budget());
  if (!absl::IsUnavailable(quick.status())) return give(reply, quick);
  submit(make_slow(make_caller, inode, std::move(ask), std::move(reply)));
}

template <class MakeCaller, class Ask, class Reply>
void RequestRunner::run_when_calm(const MakeCaller& make_caller, Inode directory,
                                  std::string_view name, Ask ask, Reply reply) {
  const std::optional<PendingChanges::Request> changes = tree_.query(directory, name);
  if (!changes.has_value() || !tree_.pending_changes().concerns(*changes)) {
    return run(make_caller, directory, std::move(ask), std::move(reply));
  }
  submit_when_calm(make_slow(make_caller, directory, std::move(ask), std::move(reply)), *changes);
}

}  // namespace scidfs::fs
