// Which answer the headers of a request get.
#include "fs/serve/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr std::uint64_t kSize = 1000;

const Validators& validators() {
  static const Validators kValidators = {.etag = "\"7-a,b\"", .modified = 784'111'777};
  return kValidators;
}
constexpr std::string_view kThen = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kBefore = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view kAfter = "Sunday, 06-Nov-94 08:49:38 GMT";

TEST(ConditionsTest, AreJudgedInTheOrderOfTheStandard) {
  using enum Verdict;
  const struct {
    Conditions conditions;
    Verdict verdict;
  } cases[] = {
      {{}, Whole},
      {{.if_match = "\"7-a,b\""}, Whole},
      {{.if_match = "*"}, Whole},
      {{.if_match = "\"x\" , ,\"7-a,b\""}, Whole},
      {{.if_match = "W/\"7-a,b\""}, PreconditionFailed},
      {{.if_match = "\"7\""}, PreconditionFailed},
      {{.if_match = "7-a,b"}, PreconditionFailed},
      {{.if_match = "\"x"}, PreconditionFailed},
      {{.if_match = "\"x\", y, \"7-a,b\""}, PreconditionFailed},
      {{.if_match = " , "}, PreconditionFailed},
      {{.if_match = "\"\""}, PreconditionFailed},

      {{.if_unmodified_since = kBefore}, PreconditionFailed},
      {{.if_unmodified_since = kThen}, Whole},
      {{.if_unmodified_since = "yesterday"}, Whole},
      {{.if_match = "\"7-a,b\"", .if_unmodified_since = kBefore}, Whole},
      {{.if_match = "\"7\"", .if_unmodified_since = kAfter}, PreconditionFailed},

      {{.if_none_match = "\"7-a,b\""}, NotModified},
      {{.if_none_match = "W/\"7-a,b\""}, NotModified},
      {{.if_none_match = "\"x\",W/\"y\",\"7-a,b\""}, NotModified},
      {{.if_none_match = " * "}, NotModified},
      {{.if_none_match = "\"7-A,b\""}, Whole},
      {{.if_none_match = "w/\"7-a,b\""}, Whole},
      {{.if_none_match = "7-a,b"}, Whole},
      {{.if_none_match = "\""}, Whole},
      {{.if_none_match = "W/"}, Whole},

      {{.if_modified_since = kThen}, NotModified},
      {{.if_modified_since = kAfter}, NotModified},
      {{.if_modified_since = kBefore}, Whole},
      {{.if_modified_since = "0"}, Whole},
      {{.if_none_match = "\"x\"", .if_modified_since = kAfter}, Whole},
      {{.if_none_match = "\"7-a,b\"", .if_modified_since = kBefore}, NotModified},
      {{.if_match = "\"x\"", .if_none_match = "\"7-a,b\""}, PreconditionFailed},
      {{.if_match = "*", .if_none_match = "\"7-a,b\""}, NotModified},
      {{.if_modified_since = kThen, .if_unmodified_since = kBefore}, PreconditionFailed},

      {{.if_none_match = "\"7-a,b\"", .range = "bytes=0-1"}, NotModified},
      {{.if_match = "\"x\"", .range = "bytes=5000-"}, PreconditionFailed},
      {{.range = "bytes=5000-"}, Unsatisfiable},
      {{.range = "bytes=0-1"}, Ranges},
      {{.range = "bytes=0-1", .if_range = "\"7-a,b\""}, Ranges},
      {{.range = "bytes=0-1", .if_range = kThen}, Ranges},
      {{.range = "bytes=0-1", .if_range = "W/\"7-a,b\""}, Whole},
      {{.range = "bytes=0-1", .if_range = "\"7-a,b\", \"x\""}, Whole},
      {{.range = "bytes=0-1", .if_range = "\"x\""}, Whole},
      {{.range = "bytes=0-1", .if_range = "*"}, Whole},
      {{.range = "bytes=0-1", .if_range = kBefore}, Whole},
      {{.range = "bytes=0-1", .if_range = kAfter}, Whole},
      {{.range = "bytes=5000-", .if_range = "\"x\""}, Whole},
      {{.if_range = "\"x\""}, Whole},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Judged judged = judge(cases[i].conditions, validators(), kSize, false);
    EXPECT_EQ(judged.verdict, cases[i].verdict) << "case " << i;
    EXPECT_EQ(judged.ranges.empty(), judged.verdict != Ranges) << "case " << i;
  }
}

TEST(ConditionsTest, GiveTheBytesOfTheRanges) {
  const struct {
    std::string range;
    std::vector<ByteRange> ranges;
  } cases[] = {
      {"bytes=0-0", {{0, 1}}},
      {"bytes=0-", {{0, 1000}}},
      {"bytes=0-999", {{0, 1000}}},
      {"bytes=0-1000", {{0, 1000}}},
      {"bytes=999-", {{999, 1}}},
      {"bytes=-1", {{999, 1}}},
      {"bytes=-1000", {{0, 1000}}},
      {"bytes=-5000", {{0, 1000}}},
      {"bytes=0-0,-1", {{0, 1}, {999, 1}}},
      {"bytes=-1,0-0", {{999, 1}, {0, 1}}},
      {"bytes=10-19,20-29,0-9", {{10, 10}, {20, 10}, {0, 10}}},
      {"BYTES= 1-1 ,\t3-3 ,, ", {{1, 1}, {3, 1}}},
      {"bytes=7-7,1000-,-0", {{7, 1}}},
      {"bytes=0-99999999999999999999", {{0, 1000}}},
      {"bytes=-99999999999999999999", {{0, 1000}}},
      {"bytes=1-18446744073709551615", {{1, 999}}},
      {"bytes=00000000000000000000000001-1", {{1, 1}}},
  };
  for (const auto& [range, expected] : cases) {
    const Judged judged = judge({.range = range}, validators(), kSize, false);
    EXPECT_EQ(judged.verdict, Verdict::Ranges) << range;
    EXPECT_THAT(judged.ranges, ElementsAreArray(expected)) << range;
  }
}

TEST(ConditionsTest, RangesThatTheFileDoesNotHaveAreSaidToBeSo) {
  for (const std::string_view range :
       {"bytes=1000-", "bytes=1000-1000", "bytes=-0", "bytes=-0,2000-3000",
        "bytes=99999999999999999999-", "bytes=18446744073709551615-18446744073709551615"}) {
    EXPECT_EQ(judge({.range = range}, validators(), kSize, false).verdict, Verdict::Unsatisfiable)
        << range;
  }
}

TEST(ConditionsTest, RangesThatMeanNothingAreIgnored) {
  for (const std::string_view range :
       {"bytes",     "bytes=",         "bytes=,",    "bytes=-",     "bytes=--1",   "bytes=1",
        "bytes=a-b", "bytes=1-b",      "bytes=+1-2", "bytes=1 - 2", "bytes=1-2-3", "bytes=0x1-2",
        "bytes=2-1", "bytes=0-0,2-1",  "bytes =0-1", "bytes: 0-1",  "lines=0-1",   "0-1",
        "-",         "bytes=5000-4000"}) {
    EXPECT_EQ(judge({.range = range}, validators(), kSize, false).verdict, Verdict::Whole) << range;
  }
}

TEST(ConditionsTest, RangesThatOverlapOrAreManyAreIgnored) {
  for (const std::string_view range :
       {"bytes=0-,0-", "bytes=0-9,9-9", "bytes=5-5,0-9", "bytes=990-,-1"}) {
    EXPECT_EQ(judge({.range = range}, validators(), kSize, false).verdict, Verdict::Whole) << range;
  }
  std::string range = "bytes=0-0";
  for (std::size_t i = 1; i < kMostRanges; ++i) range += ",-0";
  EXPECT_THAT(judge({.range = range}, validators(), kSize, false).ranges,
              ElementsAre(ByteRange{0, 1}));
  EXPECT_EQ(judge({.range = range + ",-0"}, validators(), kSize, false).verdict, Verdict::Whole);
}

TEST(ConditionsTest, AnEmptyFileAndACompressedAnswerHaveNoRanges) {
  for (const std::string_view range : {"bytes=0-0", "bytes=0-", "bytes=-1", "bytes=5000-"}) {
    EXPECT_EQ(judge({.range = range}, validators(), 0, false).verdict, Verdict::Whole) << range;
    EXPECT_EQ(judge({.range = range}, validators(), kSize, true).verdict, Verdict::Whole) << range;
  }
  EXPECT_EQ(judge({.if_none_match = "\"7-a,b\""}, validators(), 0, true).verdict,
            Verdict::NotModified);
}

TEST(ConditionsTest, HugeFilesHaveRangesToTheirEnds) {
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(judge({.range = "bytes=-1,0-"}, validators(), kHuge, false).ranges, IsEmpty());
  EXPECT_THAT(
      judge({.range = "bytes=-1,0-18446744073709551613"}, validators(), kHuge, false).ranges,
      ElementsAre(ByteRange{kHuge - 1, 1}, ByteRange{0, kHuge - 1}));
}

// Another way to say which bytes are asked for: bit by bit.
TEST(ConditionsTest, RandomRangesAreThoseThatWereWritten) {
  tests::Random random(14);
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t size = 1 + random.below(30);
    std::string header = "bytes=";
    std::vector<unsigned> asked(size);
    std::size_t bytes = 0;
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      const std::size_t first = random.below(40);
      const std::size_t last = first + random.below(10);
      header += std::to_string(first) + '-' + std::to_string(last) + (i > 1 ? "," : "");
      for (std::size_t at = first; at <= last && at < size; ++at) ++asked[at], ++bytes;
    }
    const bool has_twice = std::ranges::any_of(asked, [](unsigned times) { return times > 1; });
    const Judged judged = judge({.range = header}, validators(), size, false);
    ASSERT_EQ(judged.verdict, has_twice    ? Verdict::Whole
                              : bytes == 0 ? Verdict::Unsatisfiable
                                           : Verdict::Ranges)
        << header << " of " << size;
    for (const auto& [first, count] : judged.ranges) {
      for (std::uint64_t at = first; at < first + count; ++at) --asked.at(at);
    }
    if (judged.verdict == Verdict::Ranges) {
      ASSERT_THAT(asked, testing::Each(0U)) << header << " of " << size;
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
