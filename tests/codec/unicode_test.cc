#include "codec/unicode.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "codec/text.h"

namespace scidfs::codec {
namespace {

TEST(FoldCase, FoldsAscii) {
  EXPECT_EQ(fold_case("Carlsen,_M%2E~12"), "carlsen,_m%2e~12");
  EXPECT_EQ(fold_case("@[`{AZ"), "@[`{az");
  EXPECT_EQ(fold_case(""), "");
}

TEST(FoldCase, FoldsLettersThatDifferOnlyInCase) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"ÉLŐ", "élő"},
      {"ÉØŠŸŹΓЖЁẤ", "éøšÿźγжёấ"},
      {"ΆΈΉΊΌΎΏΪΫ", "άέήίόύώϊϋ"},  // Greek with accents
      {"ΣΟΦΟΣ", "σοφος"},          // and with a final sigma
      {"İstanbul", "i̇stanbul"},    // a dot remains above
      {"Straße", "STRASSE"},
      {"ԱՒ", "աւ"},
      {"Ꭰ", "ꭰ"},
      {"𐐀", "𐐨"},
  };
  for (const auto& [one, other] : kPairs) EXPECT_EQ(fold_case(one), fold_case(other)) << one;
}

TEST(FoldCase, FoldsBothEncodingsOfAccents) {
  EXPECT_EQ(fold_case("\u00C9lo"), fold_case("e\u0301lo"));
  EXPECT_EQ(fold_case("\u1EA4"), fold_case("a\u0302\u0301"));
  // Two marks on one letter, in either order.
  EXPECT_EQ(fold_case("q\u0307\u0323"), fold_case("q\u0323\u0307"));
}

TEST(FoldCase, KeepsOtherLettersApart) {
  EXPECT_NE(fold_case("Elo"), fold_case("Élo"));
  EXPECT_NE(fold_case("I"), fold_case("İ"));
  EXPECT_NE(fold_case("i"), fold_case("ı"));
  EXPECT_EQ(fold_case("\u00D7\u00F7\u4E2D\U0001F600"), "\u00D7\u00F7\u4E2D\U0001F600");
}

TEST(FoldCase, KeepsInvalidUtf8) {
  EXPECT_EQ(fold_case("A\xFFZ\xC3"), "a\xFFz\xC3");
  EXPECT_EQ(fold_case("A\xED\xA0\x80Z"), "a\xED\xA0\x80z");
  // Runs beyond ASCII are folded separately.
  EXPECT_EQ(fold_case("\xFF A \u00C9"), "\xFF a " + fold_case("\u00C9"));
}

TEST(FoldCase, FoldsLongRunsIdempotently) {
  std::string capital;
  std::string small;
  for (int i = 0; i < 1000; ++i) {
    capital += "Ấ";
    small += "ấ";
  }
  EXPECT_EQ(fold_case(capital), fold_case(small));
  EXPECT_EQ(fold_case(fold_case(capital)), fold_case(capital));
  for (char32_t code = 0x80; code < 0x20000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string letter;
    append_code_point(code, letter);
    const std::string folded = fold_case(letter);
    ASSERT_FALSE(folded.empty()) << letter;
    ASSERT_EQ(fold_case(folded), folded) << letter;
  }
}

TEST(WithoutAccents, RemovesAccentsOfLetters) {
  constexpr std::pair<char32_t, char32_t> kLetters[] = {
      {U'ů', U'u'}, {U'Ấ', U'A'}, {U'ή', U'η'},   {U'й', U'и'}, {U'a', U'a'},
      {U'ł', U'ł'}, {U'ß', U'ß'}, {U'中', U'中'}, {U' ', U' '}, {0x301, 0},
  };
  for (const auto& [letter, bare] : kLetters) {
    EXPECT_EQ(std::uint32_t{without_accents(letter)}, std::uint32_t{bare}) << std::uint32_t{letter};
  }
}

TEST(ColumnsOf, CountsColumnsOfCharacters) {
  constexpr std::pair<char32_t, std::size_t> kCharacters[] = {
      {U'a', 1},  {U'ů', 1},  {U'½', 1}, {U'█', 1},  {U'…', 1},   {U'中', 2},   {U'한', 2},
      {U'Ｗ', 2}, {U'あ', 2}, {U'ｱ', 1}, {0x301, 0}, {0x200B, 0}, {0x1F600, 2}, {U'\n', 0},
  };
  for (const auto& [character, columns] : kCharacters) {
    EXPECT_EQ(columns_of(character), columns) << std::uint32_t{character};
  }
}

TEST(CodePoints, SurviveRoundTrip) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    append_code_point(code, text);
    text += "x";
    std::string_view rest = text;
    ASSERT_EQ(std::uint32_t{take_code_point(rest)}, std::uint32_t{code});
    ASSERT_EQ(rest, "x");
  }
}

}  // namespace
}  // namespace scidfs::codec
