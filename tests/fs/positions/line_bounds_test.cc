#include "fs/positions/line_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace scidfs::fs {
namespace {

using codec::Color;
using testing::HasSubstr;

std::string canonical(std::string_view text, std::optional<Color> side = std::nullopt) {
  const auto bounds = parse_line_bounds(text);
  EXPECT_TRUE(bounds.ok()) << text << ": " << bounds.status();
  if (!bounds.ok()) return "";
  EXPECT_EQ(bounds->side, side);
  const std::string shortest = line_bounds_text(*bounds);
  const auto again = parse_line_bounds(shortest);
  EXPECT_TRUE(again.ok() && *again == *bounds) << shortest;
  return shortest;
}

TEST(LineBounds, HaveOneTextForEqualBounds) {
  EXPECT_EQ(line_bounds_text({}), "plies=40");
  EXPECT_EQ(canonical("plies=40"), "plies=40");
  EXPECT_EQ(canonical("plies=024"), "plies=24");
  EXPECT_EQ(canonical("games=3"), "plies=40,games=3");
  EXPECT_EQ(canonical("games=3,plies=24"), "plies=24,games=3");
  EXPECT_EQ(canonical("plies=24,games=3"), "plies=24,games=3");
  EXPECT_EQ(canonical("side=white", Color::White), "plies=40,side=white");
  EXPECT_EQ(canonical("side=white,best=20", Color::White), "plies=40,best=20,side=white");
  EXPECT_EQ(canonical("best=20,side=black,games=1,plies=200", Color::Black),
            "plies=200,games=1,best=20,side=black");
}

TEST(LineBounds, AreRefusedWithAReason) {
  const auto reason = [](std::string_view text) {
    const auto bounds = parse_line_bounds(text);
    EXPECT_TRUE(absl::IsInvalidArgument(bounds.status())) << text;
    return std::string(bounds.status().message());
  };
  for (const char* const text : {"", "plies", "plies=", "plies=0", "plies=201", "plies=-1",
                                 "plies=1.5", "plies= 1", "plies=+1", "plies=99999999999"}) {
    reason(text);
  }
  for (const char* const text : {"games=0", "games=4294967296", "games=3,", ",games=3",
                                 "games=3;plies=2", "Games=3", "depth=3", "plies=1,,games=2",
                                 "side=white,", ",side=white", "side=", "side=White", "side"}) {
    reason(text);
  }
  EXPECT_THAT(reason("plies=201"), HasSubstr("plies=1 to plies=200"));
  EXPECT_THAT(reason("plies=4,plies=4"), HasSubstr("duplicate key"));
  EXPECT_THAT(reason("side=white,side=black"), HasSubstr("duplicate key"));
  EXPECT_THAT(reason("side=red"), HasSubstr("side=white or side=black"));
  EXPECT_THAT(reason("best=20"), HasSubstr("best needs side=white or side=black"));
  EXPECT_THAT(reason("best=0,side=white"), HasSubstr("best=1"));
}

}  // namespace
}  // namespace scidfs::fs
