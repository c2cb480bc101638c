// Questions of several users that take turns.
#include "fs/requests/turns.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"
#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr milliseconds kNoTime{0};
constexpr std::chrono::hours kForever{24};
const std::function<bool()> kStays = never;

void poll_until(const std::function<bool()>& what) {
  while (!what()) std::this_thread::sleep_for(milliseconds(1));
}

// Questions on threads of their own, which line up one after the other.
class TurnsTest : public testing::Test {
 protected:
  // Asks a question that takes `steps` steps and writes its user down at each.
  void ask(Turns& turns, uid_t user, int steps) {
    run(turns, [this, &turns, user, steps] {
      Turns::Question question(turns, user, kStays);
      const WorkBudget budget = WorkBudget::unlimited(question);
      for (int i = 0; i < steps; ++i) {
        EXPECT_FALSE(budget.is_cancelled());
        const int others = at_work_++;
        most_at_work_ = std::max(most_at_work_.load(), others + 1);
        write_down(user);
        --at_work_;
      }
    });
  }
  // Calls a function that lines up, on a thread of its own.
  void run(Turns& turns, std::function<void()> function) {
    const std::size_t waiting = turns.waiting();
    threads_.emplace_back(std::move(function));
    poll_until([&] { return turns.waiting() == waiting + 1; });
  }
  void write_down(uid_t user) {
    const cache::MutexLock lock(mutex_);
    steps_.push_back(user);
  }
  std::vector<uid_t> steps() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return std::exchange(steps_, {});
  }

  std::atomic<int> at_work_ = 0;
  std::atomic<int> most_at_work_ = 0;

 private:
  cache::Mutex mutex_;
  std::vector<uid_t> steps_;
  std::vector<std::thread> threads_;
};

TEST_F(TurnsTest, UsersTakeTurnsHoweverManyQuestionsOneHas) {
  Turns turns({.most = 1, .slice = kNoTime, .patience = kForever});
  {
    Turns::Question first(turns, 9, kStays);
    first.pause();
    for (int i = 0; i < 3; ++i) ask(turns, 1, 2);
    ask(turns, 2, 3);
    ask(turns, 5, 1);
  }
  EXPECT_THAT(steps(), ElementsAre(1, 2, 5, 1, 2, 1, 2, 1, 1, 1));
}

TEST_F(TurnsTest, NoMoreAreAtWorkThanTheRulesSay) {
  Turns turns({.most = 2, .slice = kNoTime, .patience = kForever});
  {
    Turns::Question first(turns, 9, kStays);
    Turns::Question second(turns, 9, kStays);
    first.pause();
    second.pause();
    for (uid_t i = 0; i < 8; ++i) ask(turns, i % 3, 50);
  }
  EXPECT_EQ(steps().size(), 8 * 50);
  EXPECT_LE(most_at_work_, 2);
}

TEST_F(TurnsTest, SliceIsNotCutShortAndQuestionThatWaitsGivesItsTurnAway) {
  Turns turns({.most = 1, .slice = kForever, .patience = kForever});
  {
    Turns::Question first(turns, 9, kStays);
    const WorkBudget budget = WorkBudget::unlimited(first);
    EXPECT_FALSE(budget.is_cancelled());
    ask(turns, 1, 2);
    EXPECT_FALSE(budget.is_cancelled());
    EXPECT_EQ(turns.waiting(), 1U);
    budget.will_wait();
    EXPECT_THAT(steps(), ElementsAre(1, 1));
  }
}

TEST_F(TurnsTest, QuestionThatAnotherUserWaitsForIsTheNextOneOfThatUser) {
  constexpr uid_t kMaker = 1000;
  for (const bool is_helped : {false, true}) {
    Turns turns({.most = 1, .slice = kNoTime, .patience = kForever});
    Turns::Question maker(turns, 1, kStays);
    Turns::Question waiting(turns, 5, kStays);
    {
      Turns::Question first(turns, 9, kStays);
      first.pause();
      for (int i = 0; i < 3; ++i) ask(turns, 1, 1);
      run(turns, [&] {
        maker.pause();
        write_down(kMaker);
        maker.end_help();
        maker.will_wait(nullptr);
      });
      waiting.will_wait(is_helped ? &maker : nullptr);
    }
    const std::vector<uid_t> helped{1, kMaker, 1, 1};
    const std::vector<uid_t> last{1, 1, 1, kMaker};
    EXPECT_EQ(steps(), is_helped ? helped : last);
  }
}

TEST_F(TurnsTest, QuestionWhoseAskerHasLeftDoesNotWait) {
  Turns turns({.most = 1, .slice = kForever, .patience = kForever});
  Turns::Question first(turns, 1, kStays);
  first.pause();
  std::atomic<bool> has_left = false;
  const std::function<bool()> leaves = [&] { return has_left.load(); };
  std::thread other([&] {
    Turns::Question second(turns, 1, leaves);
    EXPECT_TRUE(WorkBudget::unlimited(second).is_cancelled());
  });
  poll_until([&] { return turns.waiting() == 1; });
  has_left = true;
  other.join();
  EXPECT_EQ(turns.waiting(), 0U);
}

TEST_F(TurnsTest, QuestionThatDoesNotAskLosesItsTurn) {
  Turns turns({.most = 1, .slice = kNoTime, .patience = milliseconds(5)});
  Turns::Question silent(turns, 1, kStays);
  silent.pause();
  Turns::Question other(turns, 2, kStays);
  const WorkBudget budget = WorkBudget::unlimited(other);
  EXPECT_FALSE(budget.is_cancelled());
  EXPECT_FALSE(budget.is_cancelled());
  EXPECT_EQ(turns.waiting(), 0U);
}

}  // namespace
}  // namespace scidfs::fs
