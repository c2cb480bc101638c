// Which thread answers a request, when, and what it replies.
#include "fs/requests/request_runner.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/fs/requests/plain_caller.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

class RequestRunnerTest : public LibraryTest {
 protected:
  void SetUp() override {
    put("a", example_database(5, 1).files());
    put("b", example_database(5, 2).files());
    open(source_);
    runner_ = std::make_unique<RequestRunner>(*tree_);
  }
  void TearDown() override {
    library_->pending_changes().stop();
    runner_.reset();
  }

  // Looks a name of the root up when there are no changes.
  void look_up(PlainRequest<Entry>& request, const std::string& name) {
    request.run_when_calm(*runner_, kRootInode, name, [this, name](const WorkBudget& budget) {
      return tree_->lookup(kRootInode, name, budget);
    });
  }

  std::unique_ptr<RequestRunner> runner_;
};

// Returns an answer that is too much for a limited budget.
template <class Answer>
auto slow(Answer answer) {
  return [answer](const WorkBudget& budget) -> absl::StatusOr<int> {
    if (!budget.is_unlimited()) return WorkBudget::exceeded();
    return answer(budget);
  };
}

TEST_F(RequestRunnerTest, QuickAnswerIsGivenOnTheCallingThreadWithoutACaller) {
  const std::thread::id here = std::this_thread::get_id();
  int replies = 0;
  const auto make_caller = []() -> std::shared_ptr<Caller> {
    ADD_FAILURE() << "makes a caller";
    return std::make_shared<PlainCaller>();
  };
  for (const absl::StatusOr<int>& known :
       {absl::StatusOr<int>(7), absl::StatusOr<int>(absl::NotFoundError("none"))}) {
    runner_->run(
        make_caller, kRootInode,
        [&](const WorkBudget& budget) {
          EXPECT_FALSE(budget.is_unlimited());
          EXPECT_EQ(std::this_thread::get_id(), here);
          return known;
        },
        [&](const absl::StatusOr<int>& answer) {
          EXPECT_EQ(std::this_thread::get_id(), here);
          EXPECT_EQ(answer, known);
          ++replies;
        });
  }
  EXPECT_EQ(replies, 2);
}

TEST_F(RequestRunnerTest, AnswerBeyondTheQuickBudgetIsGivenByThePool) {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> asked = 0;
  PlainRequest<int> request;
  request.run(*runner_, kRootInode, [&](const WorkBudget& budget) -> absl::StatusOr<int> {
    ++asked;
    if (!budget.spend(RequestRunner::quick_budget().left() + 1)) return WorkBudget::exceeded();
    EXPECT_NE(std::this_thread::get_id(), here);
    return 7;
  });
  EXPECT_EQ(request.answer(), absl::StatusOr<int>(7));
  EXPECT_EQ(asked, 2);
}

TEST_F(RequestRunnerTest, ExceptionsBecomeStatuses) {
  const auto no_memory = [](const WorkBudget&) -> absl::StatusOr<int> { throw std::bad_alloc(); };
  const auto no_thread = [](const WorkBudget&) -> absl::StatusOr<int> {
    throw std::runtime_error("no thread");
  };
  std::vector<PlainRequest<int>> requests(4);
  requests[0].run(*runner_, kRootInode, no_memory);
  requests[1].run(*runner_, kRootInode, no_thread);
  requests[2].run(*runner_, kRootInode, slow(no_memory));
  requests[3].run(*runner_, kRootInode, slow(no_thread));
  EXPECT_TRUE(absl::IsResourceExhausted(requests[0].answer().status()));
  EXPECT_EQ(requests[1].answer().status(), absl::InternalError("no thread"));
  EXPECT_TRUE(absl::IsResourceExhausted(requests[2].answer().status()));
  EXPECT_EQ(requests[3].answer().status(), absl::InternalError("no thread"));
}

TEST_F(RequestRunnerTest, ReplyThatThrowsGetsTheExceptionAsAStatus) {
  const auto seven = [](const WorkBudget&) -> absl::StatusOr<int> { return 7; };
  for (const bool is_slow : {false, true}) {
    std::promise<absl::Status> failure;
    const auto reply = [&failure](const absl::StatusOr<int>& answer) {
      if (answer.ok()) throw std::bad_alloc();
      failure.set_value(answer.status());
    };
    const auto make_caller = [] { return std::make_shared<PlainCaller>(); };
    if (is_slow) {
      runner_->run(make_caller, kRootInode, slow(seven), reply);
    } else {
      runner_->run(make_caller, kRootInode, seven, reply);
    }
    EXPECT_TRUE(absl::IsResourceExhausted(failure.get_future().get()));
  }
}

TEST_F(RequestRunnerTest, InterruptedRequestEndsAndIsRepliedToOnce) {
  std::atomic<bool> has_begun = false;
  std::atomic<bool> has_ended = false;
  PlainRequest<int> request;
  request.run(*runner_, kRootInode, slow([&](const WorkBudget& budget) -> absl::StatusOr<int> {
    has_begun = true;
    while (!budget.is_cancelled()) std::this_thread::sleep_for(milliseconds(1));
    has_ended = true;
    return WorkBudget::cancelled();
  }));
  while (!has_begun) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_FALSE(request.is_answered());
  request.cancel();
  request.cancel();
  EXPECT_TRUE(absl::IsCancelled(request.answer().status()));
  runner_->close();
  EXPECT_TRUE(has_ended);
}

TEST_F(RequestRunnerTest, CallerThatDoesNotReplyItselfGetsTheCancelledAnswer) {
  PlainRequest<int> request;
  request.run(*runner_, kRootInode, slow([](const WorkBudget& budget) -> absl::StatusOr<int> {
    while (!budget.is_cancelled()) std::this_thread::sleep_for(milliseconds(1));
    return WorkBudget::cancelled();
  }));
  runner_->stop();
  EXPECT_TRUE(absl::IsCancelled(request.answer().status()));
}

TEST_F(RequestRunnerTest, RequestsWaitUntilAScanHasLookedAtTheirChanges) {
  PendingChanges& changes = library_->pending_changes();
  changes.note({.path = "a.si4", .is_arrival = true});
  std::vector<PlainRequest<Entry>> requests(3);
  look_up(requests[0], "a.si4");
  look_up(requests[1], "a.si4");
  look_up(requests[2], "b.si4");
  EXPECT_TRUE(requests[2].answer().ok()) << "no change concerns it";
  EXPECT_FALSE(requests[0].is_answered(milliseconds(30)));
  requests[1].cancel();
  EXPECT_TRUE(absl::IsCancelled(requests[1].answer().status()));
  changes.finish(changes.next(PendingChanges::Clock::now() + std::chrono::seconds(60)), {});
  EXPECT_TRUE(requests[0].answer().ok()) << requests[0].answer().status();
  EXPECT_TRUE(changes.is_calm());
}

TEST_F(RequestRunnerTest, RequestsThatWaitForAScanAreAnsweredAtTheEnd) {
  library_->pending_changes().note({.path = "a.si4", .is_arrival = true});
  PlainRequest<Entry> request;
  look_up(request, "a.si4");
  EXPECT_FALSE(request.is_answered());
  library_->pending_changes().stop();
  EXPECT_TRUE(request.answer().ok()) << request.answer().status();
}

TEST(FailuresTest, EachStatusHasItsErrno) {
  EXPECT_EQ(to_errno(absl::OkStatus()), 0);
  EXPECT_EQ(to_errno(absl::NotFoundError("")), ENOENT);
  EXPECT_EQ(to_errno(absl::InvalidArgumentError("")), ENOENT);
  EXPECT_EQ(to_errno(absl::FailedPreconditionError("")), ESTALE);
  EXPECT_EQ(to_errno(absl::OutOfRangeError("")), ENAMETOOLONG);
  EXPECT_EQ(to_errno(WorkBudget::cancelled()), EINTR);
  EXPECT_EQ(to_errno(absl::UnimplementedError("")), EFBIG);
  EXPECT_EQ(to_errno(absl::PermissionDeniedError("not allowed")), EACCES);
  EXPECT_EQ(to_errno(absl::ResourceExhaustedError("too much")), ENOMEM);
  EXPECT_EQ(to_errno(absl::DataLossError("damaged")), EIO);
}

}  // namespace
}  // namespace scidfs::fs
