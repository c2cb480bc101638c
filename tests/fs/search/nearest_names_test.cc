#include "fs/search/nearest_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "fs/base/glob.h"
#include "fs/search/facet_value.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string text = *unescape_value(wanted, true);
  const MisspelledName misspelled(text);
  NearestNames found(misspelled);
  for (const std::string& name : names) found.add(name);
  std::vector<std::string> result;
  for (const NearestNames::Near& near : found.all()) result.push_back(near.name);
  return result;
}

TEST(NearestNamesTest, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"Karpov, Anatoly", "Karpov,A",
                                          "Kasparov, Gary",  "Kárpov, Ana",
                                          "Short, Nigel D",  "Kortchnoi, Viktor",
                                          "Polgár, Judit",   "Ståhlberg, G",
                                          "Ивaнов, A",       "World Championship 2013",
                                          "Karpov,A"};
  const struct {
    std::string wanted;
    std::vector<std::string> found;
  } cases[] = {
      {"Karpow,A", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"KARPOV,_ANATOLI", {"Karpov, Anatoly"}},
      {"Carpov*", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"Krotchnoi", {"Kortchnoi, Viktor"}},
      {"Korchnoi,_V", {"Kortchnoi, Viktor"}},
      {"Polgar,_Yudit", {"Polgár, Judit"}},
      {"Stahlbreg", {"Ståhlberg, G"}},
      {"Ивaнoв,_A", {"Ивaнов, A"}},
      {"*Champoinship*", {"World Championship 2013"}},
      {"Champoinship", {}},
      {"S?ort,_Nigle", {"Short, Nigel D"}},
      {"K*v,_Anatoli", {}},
      {"Nobody,_At_All", {}},
      {"Kar", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"*", {}},
      {"", {}},
      {std::string(300, 'x'), {}},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(nearest(test.wanted, names), ElementsAreArray(test.found)) << test.wanted;
  }
}

// The distance of a text to the whole name, and the least one to a beginning of it, or any part.
MisspelledName::Distance slow_distance(const std::string& wanted, const std::string& name,
                                       bool is_anywhere) {
  std::vector<std::size_t> row(name.size() + 1);
  if (!is_anywhere) std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before, two_before;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    two_before = std::exchange(before, row);
    row[0] = k + 1;
    for (std::size_t i = 0; i < name.size(); ++i) {
      row[i + 1] =
          std::min({before[i] + (name[i] == wanted[k] ? 0 : 1), before[i + 1] + 1, row[i] + 1});
      if (k > 0 && i > 0 && name[i] == wanted[k - 1] && name[i - 1] == wanted[k]) {
        row[i + 1] = std::min(row[i + 1], two_before[i - 1] + 1);
      }
    }
  }
  return {.of_part = *std::ranges::min_element(row), .of_name = row.back()};
}

TEST(NearestNamesTest, DistancesAreThoseOfTheTableOfAllBeginnings) {
  constexpr int kCases = 20'000;
  tests::Random random(1);
  const auto text = [&random](std::size_t longest) {
    std::string made(1 + random.below(longest), 'a');
    for (char& c : made) c = "abcdeABC, _z9"[random.below(13)];
    return made;
  };
  std::string room;
  int near = 0;
  for (int i = 0; i < kCases; ++i) {
    const bool is_anywhere = random.one_in(4);
    const std::string wanted = text(random.one_in(8) ? MisspelledName::kMostBytes : 12);
    const std::string name = text(random.one_in(8) ? 100 : 15);
    const MisspelledName misspelled(*unescape_value(is_anywhere ? "*" : "", true) + wanted);
    const auto expected = slow_distance(fold_text(wanted), fold_text(name), is_anywhere);
    const std::size_t most = random.below(4) + (random.one_in(4) ? wanted.size() : 0);
    const auto found = misspelled.distance(name, most, room);
    ASSERT_EQ(found.has_value(), expected.of_part <= most) << wanted << '\n' << name;
    if (!found.has_value()) continue;
    ++near;
    ASSERT_EQ(found->of_part, expected.of_part) << wanted << '\n' << name;
    ASSERT_EQ(found->of_name, expected.of_name) << wanted << '\n' << name;
  }
  EXPECT_GT(near, kCases / 10);
}

}  // namespace
}  // namespace scidfs::fs
