// Compares patterns with the simplest way to match them, and measures their cost.
#include "fs/base/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/search/facet_value.h"
#include "tests/support/processor_time.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins) characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

// True if a pattern has only these characters.
bool is_all(std::span<const std::string> pattern, std::span<const std::string> text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == std::string(1, kAnyCharacters)) {
    for (std::size_t left_out = 0; left_out <= text.size(); ++left_out) {
      if (is_all(pattern.subspan(1), text.subspan(left_out))) return true;
    }
    return false;
  }
  if (text.empty()) return false;
  if (pattern[0] != std::string(1, kAnyCharacter) && pattern[0] != text[0]) return false;
  return is_all(pattern.subspan(1), text.subspan(1));
}

bool is_of_word(const std::string& character) {
  std::string_view rest = character;
  return codec::is_letter_or_digit(codec::take_code_point(rest));
}

// True if a part begins and ends at borders of words.
bool is_part(const std::vector<std::string>& pattern, const std::vector<std::string>& text) {
  const auto is_border = [&](std::size_t at) {
    return at == 0 || at == text.size() || !is_of_word(text[at - 1]) || !is_of_word(text[at]);
  };
  const bool begins_anywhere = pattern.front() == std::string(1, kAnyCharacters);
  const bool ends_anywhere = pattern.back() == std::string(1, kAnyCharacters);
  for (std::size_t begin = 0; begin <= text.size(); ++begin) {
    if (!begins_anywhere && !is_border(begin)) continue;
    for (std::size_t end = begin; end <= text.size(); ++end) {
      if (!ends_anywhere && !is_border(end)) continue;
      if (is_all(pattern, std::span(text).subspan(begin, end - begin))) return true;
    }
  }
  return false;
}

std::string random_characters(tests::Random& random, std::size_t count,
                              const std::vector<std::string>& from) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += from[random.below(from.size())];
  return text;
}

TEST(GlobTest, AgreesWithSimpleMatcher) {
  tests::Random random(7);
  const std::vector<std::string> letters = {"a", "a", "b", " ", ".", "\xD0\xB6", "\xE4\xB8\xAD"};
  std::vector<std::string> of_pattern = letters;
  for (const char wildcard : {kAnyCharacter, kAnyCharacter, kAnyCharacters}) {
    of_pattern.emplace_back(1, wildcard);
  }
  std::size_t whole = 0;
  std::size_t parts = 0;
  for (int round = 0; round < 60000; ++round) {
    const Glob glob(random_characters(random, 1 + random.below(6), of_pattern));
    const std::string text = random_characters(random, random.below(9), letters);
    const std::vector<std::string> pattern = characters_of(glob.text());
    const bool is_whole = is_all(pattern, characters_of(text));
    const bool is_in = is_part(pattern, characters_of(text));
    const GlobMatcher matcher(glob);
    ASSERT_EQ(matcher.matches(text), is_whole) << escape_value(glob.text()) << " in " << text;
    ASSERT_EQ(matcher.matches_words(text), is_in) << escape_value(glob.text()) << " in " << text;
    whole += is_whole ? 1 : 0;
    parts += is_in ? 1 : 0;
  }
  EXPECT_GT(whole, 1000U);
  EXPECT_GT(parts, 3000U);
}

// Names of an index file that lies may begin and end inside a character.
TEST(GlobTest, TextsThatAreNoUtf8HarmNothing) {
  tests::Random random(9);
  const std::vector<std::string> bytes = {"a", "b", "\xD0", "\xB6", "\xE4", "\xB8", "\xF0"};
  std::vector<std::string> of_pattern = {"a", "b", "\xD0\xB6", "\xE4\xB8\xAD"};
  for (const char wildcard : {kAnyCharacter, kAnyCharacters}) {
    of_pattern.emplace_back(1, wildcard);
  }
  const Glob any(std::string(1, kAnyCharacters));
  for (int round = 0; round < 20000; ++round) {
    const Glob glob(random_characters(random, 1 + random.below(6), of_pattern));
    const std::string text = random_characters(random, random.below(9), bytes);
    const GlobMatcher matcher(glob);
    EXPECT_LE(matcher.matches(text), GlobMatcher(any).matches(text));
    matcher.matches_words(text);
  }
}

// Longer than a word of bits, with pieces that extend over two words.
TEST(GlobTest, MatchesLongPatterns) {
  tests::Random random(8);
  for (int round = 0; round < 3000; ++round) {
    std::string pattern;
    std::string text;
    const std::size_t length = 1 + random.below(Glob::kMostBytes);
    while (pattern.size() < length) {
      if (pattern.size() + 2 < length && random.one_in(6)) {
        pattern += "\xD0\xB6";
        text += "\xD0\xB6";
      } else if (random.one_in(3)) {
        pattern += kAnyCharacter;
        text += random.one_in(2) ? "\xE4\xB8\xAD" : "y";
      } else if (random.one_in(9)) {
        pattern += kAnyCharacters;
        text += random_characters(random, random.below(5), {"x", " ", "\xC3\x9F"});
      } else {
        pattern += 'x';
        text += 'x';
      }
    }
    const Glob glob(pattern);
    ASSERT_FALSE(glob.is_too_long());
    const GlobMatcher matcher(glob);
    ASSERT_TRUE(matcher.matches(text)) << escape_value(pattern) << " in " << text;
    ASSERT_TRUE(matcher.matches_words("xx " + text + " xx")) << escape_value(pattern);
    if (pattern.find('x') == std::string::npos) continue;
    const std::string other = random_characters(random, text.size(), {"z", "\xD0\xB7", " "});
    ASSERT_FALSE(matcher.matches(other)) << escape_value(pattern) << " in " << other;
    ASSERT_FALSE(matcher.matches_words(other)) << escape_value(pattern) << " in " << other;
  }
}

// A damaged file of the cache folder may have them.
TEST(GlobTest, RunsThatAreNoUtf8AreFoldedAsTheyAre) {
  EXPECT_EQ(fold_text("M\xC3\x9C\xFF_\xC3 \xC3\x89"), "m\xC3\x9C\xFF \xC3 e");
}

TEST(GlobTest, CostIsNumberOfWordsOfBits) {
  EXPECT_EQ(Glob("a").cost(), 1U);
  EXPECT_EQ(Glob(std::string(1, kAnyCharacters)).cost(), 1U);
  EXPECT_EQ(Glob(std::string(64, 'a')).cost(), 1U);
  EXPECT_EQ(Glob(std::string(65, 'a')).cost(), 2U);
  EXPECT_EQ(Glob(std::string(255, 'a')).cost(), 4U);
  EXPECT_FALSE(Glob(std::string(255, 'a')).is_too_long());
  EXPECT_TRUE(Glob(std::string(256, 'a')).is_too_long());
}

// A pattern that matches nearly everywhere costs no more than a pattern of letters.
TEST(GlobTest, TimeDependsOnlyOnLengthOfText) {
  const std::string text((std::size_t{1} << 17), 'a');
  const auto time_of = [&](const std::string& pattern) {
    const GlobMatcher matcher{Glob(pattern)};
    return tests::least_time([&] {
      EXPECT_FALSE(matcher.matches_words(text));
      EXPECT_FALSE(matcher.matches(text));
    });
  };
  // `?a` repeated, runs of letters, and pieces: with a `b` at the end, which never occurs.
  std::string alternating;
  while (alternating.size() + 2 < Glob::kMostBytes) alternating += {kAnyCharacter, 'a'};
  const std::string run(Glob::kMostBytes - 2, 'a');
  std::string pieces;
  while (pieces.size() + 3 < Glob::kMostBytes) pieces += {kAnyCharacters, 'a', 'a'};
  const double simple = time_of({kAnyCharacter, 'b'});
  constexpr double kMost = 25;
  for (const std::string& pattern : {alternating, run, pieces}) {
    std::string with_end = pattern + 'b';
    EXPECT_LT(time_of(with_end), kMost * simple) << escape_value(with_end);
    with_end.insert(0, 1, kAnyCharacters);
    with_end += kAnyCharacters;
    if (Glob(with_end).is_too_long()) continue;
    EXPECT_LT(time_of(with_end), kMost * simple) << escape_value(with_end);
  }
}

}  // namespace
}  // namespace scidfs::fs
