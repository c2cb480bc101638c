#include "fs/search/result_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace scidfs::fs {
namespace {

// Two types that could be mistaken for each other.
template <int Kind>
class Number {
 public:
  explicit Number(int value) : value_(value) {}
  int value() const { return value_; }
  static std::size_t memory() { return 1000; }

 private:
  const int value_;
};
using Games = Number<1>;
using Players = Number<2>;

class ResultCacheTest : public testing::Test {
 protected:
  template <class Result>
  std::shared_ptr<const Result> get(const std::string& text, int value) {
    const auto result = results_.get<Result>(
        text, WorkBudget::limited(0), [&]() -> absl::StatusOr<std::shared_ptr<const Result>> {
          return std::make_shared<const Result>(value);
        });
    EXPECT_TRUE(result.ok()) << result.status();
    return *result;
  }

  ResultCache results_{5'000};
};

TEST_F(ResultCacheTest, OneTextNamesAResultOfEachType) {
  EXPECT_EQ(get<Games>("eco=B", 1)->value(), 1);
  EXPECT_EQ(results_.find<Players>("eco=B"), nullptr);
  EXPECT_EQ(get<Players>("eco=B", 2)->value(), 2);
  EXPECT_EQ(get<Games>("eco=B", 3)->value(), 1);
  EXPECT_EQ(get<Games>("eco=C", 4)->value(), 4);
  EXPECT_EQ(results_.find<Players>("eco=B")->value(), 2);
  EXPECT_EQ(results_.counters().made, 3U);
}

TEST_F(ResultCacheTest, AllTypesShareTheLimit) {
  for (int i = 0; i < 4; ++i) get<Games>("eco=B", i);
  const std::string text(100, 'x');
  for (int i = 0; i < 10; ++i) {
    get<Players>(text + std::to_string(i), i);
    EXPECT_LE(results_.counters().bytes, 5'000U);
  }
  EXPECT_EQ(results_.find<Games>("eco=B"), nullptr);
  EXPECT_NE(results_.find<Players>(text + "9"), nullptr);
}

TEST_F(ResultCacheTest, FailuresAreNotKept) {
  EXPECT_TRUE(absl::IsUnavailable(
      results_.get<Games>("eco=B", WorkBudget::limited(0), [] { return WorkBudget::exceeded(); })
          .status()));
  EXPECT_EQ(results_.find<Games>("eco=B"), nullptr);
  EXPECT_EQ(get<Games>("eco=B", 1)->value(), 1);
}

}  // namespace
}  // namespace scidfs::fs
