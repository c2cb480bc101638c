#include "fs/content/work_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fs/content/sort.h"
#include "tests/fs/never.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

TEST(WorkBudgetTest, LimitedBudgetRefusesMoreThanIsLeft) {
  const WorkBudget budget = WorkBudget::limited(10);
  EXPECT_TRUE(budget.spend(0));
  EXPECT_TRUE(budget.spend(4));
  EXPECT_FALSE(budget.spend(7));
  EXPECT_EQ(budget.left(), 6U);
  EXPECT_TRUE(budget.spend(6));
  EXPECT_FALSE(budget.spend(1));
  EXPECT_TRUE(budget.spend(0));
}

TEST(WorkBudgetTest, UnlimitedBudgetIsNeverExceeded) {
  const WorkBudget budget = WorkBudget::unlimited(never);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(budget.spend(budget.left()));
  EXPECT_TRUE(budget.is_unlimited());
}

std::vector<std::uint64_t> random_numbers(std::size_t count) {
  tests::Random random(count);
  std::vector<std::uint64_t> numbers(count);
  for (std::uint64_t& number : numbers) number = random.below(count);
  return numbers;
}

TEST(SortTest, SortsAnyNumberOfValues) {
  for (const std::size_t count : {0U, 1U, 2U, 65'536U, 65'537U, 400'000U}) {
    std::vector<std::uint64_t> numbers = random_numbers(count);
    std::vector<std::uint64_t> sorted = numbers;
    std::ranges::sort(sorted, std::greater());
    ASSERT_TRUE(
        sort_while_wanted(std::span(numbers), WorkBudget::unlimited(never), std::greater()).ok());
    EXPECT_EQ(numbers, sorted);
  }
}

TEST(SortTest, EndsWhenCancelled) {
  std::vector<std::uint64_t> numbers = random_numbers(1'000'000);
  int checks = 0;
  const absl::Status status =
      sort_while_wanted(std::span(numbers), WorkBudget::unlimited([&] { return ++checks == 3; }));
  EXPECT_TRUE(absl::IsCancelled(status));
  EXPECT_EQ(checks, 3);
  // Two parts are sorted, each of which is small.
  EXPECT_FALSE(std::ranges::is_sorted(std::span(numbers).first(200'000)));
}

}  // namespace
}  // namespace scidfs::fs
