#include "fs/search/misspelled_text.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "fs/base/glob.h"
#include "fs/base/wildcards.h"
#include "tests/fs/search/slow_distance.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

std::string random_text(tests::Random& random, std::size_t longest) {
  std::string made(1 + random.below(longest), 'a');
  for (char& c : made) c = "abcdeABC, _z9"[random.below(13)];
  return made;
}

TEST(MisspelledTextTest, DistancesAreThoseOfTheTableOfAllBeginnings) {
  constexpr int kCases = 20'000;
  tests::Random random(1);
  int near = 0;
  for (int i = 0; i < kCases; ++i) {
    const bool is_anywhere = random.one_in(4);
    const std::string wanted =
        random_text(random, random.one_in(8) ? MisspelledText::kMostBytes : 12);
    const std::string text = random_text(random, random.one_in(8) ? 100 : 15);
    const MisspelledText misspelled(fold_text(wanted), is_anywhere);
    const auto expected = tests::slow_distance(fold_text(wanted), fold_text(text), is_anywhere);
    const auto found = misspelled.measure(text);
    ASSERT_EQ(found, expected) << wanted << '\n' << text;
    if (found.of_part > misspelled.most_wrong()) continue;
    ++near;
    LetterKinds letters;
    letters.add(text);
    ASSERT_LE(misspelled.letters().missing_in(letters), found.of_part) << wanted << '\n' << text;
  }
  EXPECT_GT(near, kCases / 50);
}

TEST(MisspelledTextTest, CountsTheSameLettersAtTheBeginning) {
  const MisspelledText text(fold_text("Mag") + kAnyCharacter + "us", false);
  const std::pair<std::string_view, std::size_t> cases[] = {
      {"", 0}, {"m", 1}, {"MAGNU", 5}, {"maxxus", 2}, {"mag_u", 5}, {"magnuss", 6}, {"x", 0}};
  for (const auto& [other, same] : cases) EXPECT_EQ(text.count_same(other), same) << other;
}

}  // namespace
}  // namespace scidfs::fs
