// Texts of a book: codec/kvetka/FORMAT.md, section 2.
#include <gtest/gtest.h>

#include "codec/kvetka/strings.h"
#include "codec/text.h"
#include "tests/support/files.h"

namespace scidfs::codec::kvetka {
namespace {

using tests::as_bytes;

ByteOrder order_of(std::string_view units) {
  ByteOrderVote vote;
  vote.add(as_bytes(units));
  return vote.decide();
}

CodePage page_of(std::string_view text) {
  CodePageVote vote;
  vote.add(as_bytes(text));
  return vote.decide();
}

TEST(KvetkaStrings, UnitsSurviveEncodingAndDecoding) {
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    for (const std::string text : {"", "Small test book", "Книга", "žlutý kůň 象棋 🐴"}) {
      EXPECT_EQ(decode_units(as_bytes(encode_units(text, order)), order), text);
    }
  }
  EXPECT_EQ(encode_units("aЖ", ByteOrder::Little), std::string("a\0\x16\x04", 4));
  EXPECT_EQ(encode_units("aЖ", ByteOrder::Big), std::string("\0a\x04\x16", 4));
}

TEST(KvetkaStrings, ByteOrderIsDetected) {
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    EXPECT_EQ(order_of(encode_units("Small", order)), order);
    EXPECT_EQ(order_of(encode_units("Книга", order)), order);
    // A byte order mark overrides the letters.
    EXPECT_EQ(order_of(encode_units("\uFEFF\u0061\u6100\u6100\u6100", order)), order);
  }
  EXPECT_EQ(order_of(""), ByteOrder::Little);
  EXPECT_EQ(order_of(std::string(8, '\0')), ByteOrder::Little);
}

TEST(KvetkaStrings, InvalidUnitsAreReplaced) {
  EXPECT_EQ(decode_units(as_bytes(encode_units("\uFEFFab", ByteOrder::Big)), ByteOrder::Big), "ab");
  EXPECT_EQ(
      decode_units(as_bytes(std::string_view("\xD8\x00\0a\xDC\x00\xD8\x3D", 8)), ByteOrder::Big),
      "\uFFFDa\uFFFD\uFFFD");
  EXPECT_EQ(decode_units(as_bytes(std::string_view("a\0\n\0\0\0x", 7)), ByteOrder::Little), "a  ");
}

TEST(KvetkaStrings, CodePageIsDetected) {
  EXPECT_EQ(page_of("\xD8stmoe, Geir Sune"), CodePage::Windows1252);
  EXPECT_EQ(page_of("\xCA\xE0\xF0\xEF\xEE\xE2"), CodePage::Windows1251);
  EXPECT_EQ(page_of("Карпов"), CodePage::Windows1252);  // UTF-8 gives no hint
  EXPECT_EQ(clean_line(as_bytes("\xCA\xE0\xF0\xEF\xEE\xE2"), CodePage::Windows1251), "Карпов");
  EXPECT_EQ(clean_line(as_bytes("Карпов"), CodePage::Windows1251), "Карпов");
  EXPECT_EQ(clean_line(as_bytes("\xD8stmoe"), CodePage::Windows1252), "Østmoe");
}

TEST(KvetkaStrings, UnencodableLettersAreApproximated) {
  EXPECT_EQ(encode_ansi("Østmoe", CodePage::Windows1252), "\xD8stmoe");
  EXPECT_EQ(encode_ansi("Wojtaszek, Radosław Ďő", CodePage::Windows1252), "Wojtaszek, Radoslaw Do");
  EXPECT_EQ(encode_ansi("Карпов", CodePage::Windows1251), "\xCA\xE0\xF0\xEF\xEE\xE2");
  EXPECT_EQ(encode_ansi("Ébert Карпов", CodePage::Windows1252),
            "\xC9"
            "bert ??????");
  EXPECT_EQ(encode_ansi("Ébert", CodePage::Windows1251), "Ebert");
  // Any accented letter, not only those of Western and Central Europe; letters with strokes too.
  EXPECT_EQ(encode_ansi("Nguyễn, Șerban, Đạt, Ñu", CodePage::Windows1251),
            "Nguyen, Serban, Dat, Nu");
  EXPECT_EQ(encode_ansi("e\u0306\u4E2D\u00DE", CodePage::Windows1251), "e??");
  EXPECT_EQ(encode_ansi("Карпов", CodePage::Utf8), "Карпов");
}

}  // namespace
}  // namespace scidfs::codec::kvetka
