#include "fs/sets/questions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "fs/sets/searches.h"

namespace scidfs::fs {
namespace {

Question question(std::string path, std::uint32_t key = 0) {
  return {.base = {.view = 9, .key = key}, .path = std::move(path), .groups = {}};
}

TEST(QuestionsTest, OneQuestionHasOneNumber) {
  Questions questions;
  const auto first = questions.number_of(question("search/eco=B"));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(questions.number_of(question("search/eco=B")), first);
  EXPECT_NE(questions.number_of(question("search/eco=C")), first);
  EXPECT_NE(questions.number_of(question("search/eco=B", 1)), first);
  EXPECT_EQ(questions.find(*first)->path, "search/eco=B");
  EXPECT_EQ(questions.find(*first + 1), nullptr);
  EXPECT_EQ(questions.size(), 3U);
}

// After a remount, for instance.
TEST(QuestionsTest, NumbersAreMostlyTheSameInAnotherOrder) {
  constexpr int kQuestions = 200;
  std::map<std::string, std::uint32_t> numbers;
  Questions questions;
  for (int i = 0; i < kQuestions; ++i) {
    const std::string path = fmt::format("search/year={}", i);
    numbers[path] = *questions.number_of(question(path));
  }
  Questions others;
  int same = 0;
  for (int i = kQuestions; i-- > 0;) {
    const std::string path = fmt::format("search/year={}", i);
    if (*others.number_of(question(path)) == numbers[path]) ++same;
  }
  EXPECT_GT(same, kQuestions - 5);
}

TEST(QuestionsTest, ANumberIsNeverGivenToAnother) {
  Questions questions({.questions = 10});
  std::map<std::uint32_t, std::string> owners;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const std::string path = fmt::format("search/number={}", i);
      const auto number = questions.number_of(question(path));
      ASSERT_TRUE(number.ok());
      const auto [owner, is_new] = owners.try_emplace(*number, path);
      EXPECT_TRUE(is_new) << path << " has a number again that was forgotten";
      EXPECT_EQ(questions.find(*number)->path, path);
    }
  }
  EXPECT_EQ(questions.size(), 10U);
}

TEST(QuestionsTest, WhatIsUsedStays) {
  Questions questions({.questions = 10});
  const auto kept = questions.number_of(question("search/eco=A"));
  const auto forgotten = questions.number_of(question("search/eco=B"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(questions.number_of(question(fmt::format("search/year={}", i))).ok());
    EXPECT_NE(questions.find(*kept), nullptr);
  }
  EXPECT_EQ(questions.find(*forgotten), nullptr);
  EXPECT_EQ(questions.number_of(question("search/eco=A")), kept);
  EXPECT_NE(questions.number_of(question("search/eco=B")), forgotten);
}

TEST(QuestionsTest, MemoryIsBounded) {
  Questions questions({.bytes = 100'000});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(
        questions.number_of(question(fmt::format("search/text={}{}", std::string(1000, 'a'), i)))
            .ok());
  }
  EXPECT_LT(questions.size(), 100U);
  EXPECT_GT(questions.size(), 5U);
  EXPECT_TRUE(absl::IsResourceExhausted(
      questions.number_of(question("search/" + std::string(4096, 'a'))).status()));
}

TEST(QuestionsTest, OneQuestionCannotBeForgottenEndlesslyOften) {
  Questions questions({.questions = 1});
  absl::Status status;
  int rounds = 0;
  for (; status.ok() && rounds < 10'000; ++rounds) {
    status = questions.number_of(question("search/eco=A")).status();
    ASSERT_TRUE(questions.number_of(question(fmt::format("search/year={}", rounds))).ok());
  }
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(rounds, 1 << Questions::kCountBits);
}

TEST(QuestionsTest, ManyMayAsk) {
  Questions questions({.questions = 50});
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const std::string path = fmt::format("search/year={}", i % 100);
        const auto number = questions.number_of(question(path));
        ASSERT_TRUE(number.ok());
        const QuestionPtr found = questions.find(*number);
        EXPECT_TRUE(found == nullptr || found->path == path);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(questions.size(), 50U);
}

TEST(RefusalsTest, TheLastTwentyOnceEach) {
  Refusals refusals;
  EXPECT_TRUE(refusals.all().empty());
  for (int i = 0; i < 25; ++i) {
    refusals.note(Refusals::Kind::Facet, fmt::format("key{}=1", i), "no key");
    refusals.note(Refusals::Kind::Facet, fmt::format("key{}=1", i), "no key");
  }
  const std::vector<Refusals::Refusal> all = refusals.all();
  ASSERT_EQ(all.size(), 20U);
  EXPECT_EQ(all.front().name, "key5=1");
  EXPECT_EQ(all.back().name, "key24=1");
  EXPECT_EQ(all.back().reason, "no key");
}

}  // namespace
}  // namespace scidfs::fs
