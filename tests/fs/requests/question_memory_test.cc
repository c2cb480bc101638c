// Questions that share memory.
#include "fs/requests/question_memory.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using Account = QuestionMemory::Account;

constexpr std::size_t kAll = 100;

absl::Status take_at_once(Account& account, std::size_t bytes) {
  return account.take(bytes, never, [] { ADD_FAILURE() << "waits"; });
}

// Takes memory on a thread of its own, which begins to wait before the constructor returns.
class Waiting {
 public:
  Waiting(Account& account, std::size_t bytes)
      : thread_([this, &account, bytes] {
          status_ = account.take(
              bytes, [this] { return has_left_.load(); },
              [this] {
                is_waiting_ = true;
                is_waiting_.notify_all();
              });
          is_done_ = true;
        }) {
    is_waiting_.wait(false);
  }
  ~Waiting() { thread_.join(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  bool is_done() const { return is_done_; }
  void leave() { has_left_ = true; }
  absl::Status status() {
    while (!is_done_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return status_;
  }

 private:
  std::atomic<bool> is_waiting_ = false;
  std::atomic<bool> has_left_ = false;
  std::atomic<bool> is_done_ = false;
  absl::Status status_;
  std::thread thread_;
};

constexpr uid_t kFirstUser = 1;
constexpr uid_t kSecondUser = 2;
constexpr uid_t kThirdUser = 3;

TEST(QuestionMemoryTest, LargeQuestionGoesOnWhileOthersWaitForItsEnd) {
  QuestionMemory memory(kAll);
  Account other(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(other, 60).ok());
  auto large = std::make_unique<Account>(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(*large, 50).ok());
  ASSERT_TRUE(take_at_once(*large, 150).ok());
  ASSERT_TRUE(take_at_once(other, 15).ok());
  Waiting more(other, 1);
  EXPECT_FALSE(more.is_done());
  EXPECT_EQ(memory.used(), 275U);
  large.reset();
  EXPECT_TRUE(more.status().ok());
  EXPECT_EQ(memory.used(), 76U);
}

TEST(QuestionMemoryTest, EachUserFindsSomeWhateverOthersHave) {
  QuestionMemory memory(kAll);
  Account large(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(large, 200).ok());
  Account first(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(first, 75).ok());
  Account second(memory, kSecondUser);
  ASSERT_TRUE(take_at_once(second, 18).ok());
  Account third(memory, kThirdUser);
  EXPECT_TRUE(take_at_once(third, 5).ok());
  EXPECT_EQ(memory.used(), 298U);
}

TEST(QuestionMemoryTest, QuestionThatOthersWaitForLeavesNothing) {
  QuestionMemory memory(kAll);
  Account large(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(large, 101).ok());
  Account maker(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(maker, 75).ok());
  maker.help();
  EXPECT_TRUE(take_at_once(maker, 25).ok());
  maker.end_help();
  Waiting waiting(maker, 1);
  maker.give_back(26);
  EXPECT_TRUE(waiting.status().ok());
}

TEST(QuestionMemoryTest, NoQuestionHasMoreThanItsBound) {
  QuestionMemory memory(kAll);
  Account account(memory, kFirstUser);
  EXPECT_TRUE(take_at_once(account, 200).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(take_at_once(account, 1)));
  account.give_back(100);
  EXPECT_TRUE(take_at_once(account, 100).ok());
}

TEST(QuestionMemoryTest, QuestionGoesOnWhenEnoughIsGivenBack) {
  QuestionMemory memory(kAll);
  Account large(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(large, 120).ok());
  Account small(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(small, 70).ok());
  Account other(memory, kFirstUser);
  Waiting waiting(other, 10);
  small.give_back(5);
  EXPECT_TRUE(waiting.status().ok());
}

TEST(QuestionMemoryTest, LargeQuestionThatWaitsForAnotherLetsItEnd) {
  QuestionMemory memory(kAll);
  Account large(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(large, 120).ok());
  Account needed(memory, kFirstUser);
  {
    Waiting waiting(needed, 150);
    large.will_wait();
    EXPECT_TRUE(waiting.status().ok());
  }
  Waiting again(large, 1);
  needed.will_wait();
  EXPECT_TRUE(again.status().ok());
}

TEST(QuestionMemoryTest, QuestionWhoseAskerHasLeftDoesNotWait) {
  QuestionMemory memory(kAll);
  Account large(memory, kFirstUser);
  ASSERT_TRUE(take_at_once(large, 120).ok());
  Account other(memory, kFirstUser);
  Waiting waiting(other, 80);
  waiting.leave();
  EXPECT_TRUE(absl::IsCancelled(waiting.status()));
  EXPECT_EQ(memory.used(), 120U);
}

// The place of the large question, held by a user, and others who wait for it in this order.
class QuestionMemoryTurnsTest : public ::testing::Test {
 protected:
  void hold(uid_t user) { ASSERT_TRUE(take_at_once(account(user), 2 * kAll).ok()); }
  void line_up(uid_t user) { waiting_.push_back(std::make_unique<Waiting>(account(user), kAll)); }
  void end(std::size_t question) { accounts_[question].reset(); }
  void leave(std::size_t question) { waiting_[question - 1]->leave(); }
  absl::Status status(std::size_t question) { return waiting_[question - 1]->status(); }
  // Returns which questions have gone on, the holder being question 0.
  std::vector<std::size_t> gone_on() const {
    std::vector<std::size_t> questions;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i]->is_done()) questions.push_back(i + 1);
    }
    return questions;
  }

 private:
  Account& account(uid_t user) {
    return *accounts_.emplace_back(std::make_unique<Account>(memory_, user));
  }

  QuestionMemory memory_{kAll};
  std::vector<std::unique_ptr<Account>> accounts_;
  std::vector<std::unique_ptr<Waiting>> waiting_;
};

TEST_F(QuestionMemoryTurnsTest, UserWaitsForOneLargeQuestionOfEachOther) {
  hold(kFirstUser);
  for (const uid_t user : {kFirstUser, kFirstUser, kSecondUser, kSecondUser, kThirdUser}) {
    line_up(user);
  }
  std::vector<std::size_t> ended{0};
  for (const std::size_t next : {3U, 5U, 1U, 4U, 2U}) {
    end(ended.back());
    ended.push_back(next);
    EXPECT_TRUE(status(next).ok());
    EXPECT_THAT(gone_on(), testing::UnorderedElementsAreArray(ended.begin() + 1, ended.end()));
  }
}

TEST_F(QuestionMemoryTurnsTest, QuestionThatLeavesGivesItsTurnToTheNext) {
  hold(kFirstUser);
  for (const uid_t user : {kFirstUser, kSecondUser, kSecondUser}) line_up(user);
  leave(2);
  EXPECT_TRUE(absl::IsCancelled(status(2)));
  end(0);
  EXPECT_TRUE(status(3).ok());
  leave(1);
  EXPECT_TRUE(absl::IsCancelled(status(1)));
}

TEST(QuestionMemoryTest, NewcomerDoesNotPassThoseInLine) {
  QuestionMemory memory(kAll);
  auto large = std::make_unique<Account>(memory, kSecondUser);
  ASSERT_TRUE(take_at_once(*large, 2 * kAll).ok());
  Account early(memory, kFirstUser);
  Waiting in_line(early, kAll);
  Account newcomer(memory, kSecondUser);
  large.reset();
  std::atomic<bool> gives_up = false;
  std::thread thread([&] {
    EXPECT_TRUE(absl::IsCancelled(newcomer.take(
        kAll, [&] { return gives_up.load(); }, [] {})));
  });
  EXPECT_TRUE(in_line.status().ok());
  gives_up = true;
  thread.join();
}

TEST(QuestionMemoryTest, ManyQuestionsOfManyUsersAllComeToTheirEnd) {
  QuestionMemory memory(kAll);
  constexpr std::size_t kThreads = 8;
  constexpr int kQuestions = 200;
  std::atomic<int> cancelled = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < kQuestions; ++round) {
        Account account(memory, static_cast<uid_t>(i % 3));
        bool has_left = false;
        const absl::Status status = account.take(
            20 + (i + static_cast<std::size_t>(round)) % 5 * 40, [&] { return has_left; },
            [&] { has_left = round % 10 == 9; });
        if (!status.ok()) ++cancelled;
        EXPECT_TRUE(status.ok() || (absl::IsCancelled(status) && has_left)) << status;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.used(), 0U);
  EXPECT_LE(cancelled, static_cast<int>(kThreads) * kQuestions / 10);
}

}  // namespace
}  // namespace scidfs::fs
