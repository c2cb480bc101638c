#include "codec/text.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/files.h"

namespace scidfs::codec {
namespace {

using tests::as_bytes;

std::string to_utf8(std::string_view bytes) {
  std::string text;
  append_utf8(as_bytes(bytes), text);
  return text;
}

// Encodes without any check, so it can also produce surrogates and overlong forms.
std::string encode(unsigned code, int length) {
  if (length == 1) return {static_cast<char>(code)};
  std::string text;
  const unsigned mark = 0xFFu << (8 - length) & 0xFF;
  text += static_cast<char>(mark | code >> (6 * (length - 1)));
  for (int i = length - 2; i >= 0; --i) text += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
  return text;
}

int shortest(unsigned code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

TEST(Text, AcceptsExactlyValidCodePoints) {
  for (unsigned code = 0; code < 0x200000; ++code) {
    const bool legal = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    ASSERT_EQ(is_utf8(as_bytes(encode(code, shortest(code)))), legal) << std::hex << code;
  }
}

TEST(Text, RefusesOverlongForms) {
  for (const unsigned code : {0x00u, 0x2Fu, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu}) {
    for (int length = shortest(code) + 1; length <= 4; ++length) {
      EXPECT_FALSE(is_utf8(as_bytes(encode(code, length)))) << std::hex << code << ' ' << length;
    }
  }
}

TEST(Text, RefusesBrokenSequences) {
  for (const std::string_view bytes :
       {"\x80", "\xBF", "\xC3", "\xC3(", "\xE2\x82", "\xE2(\xAC", "\xF0\x9F\x98",
        "\xF5\x80\x80\x80", "\xFF", "12345678\xFE"}) {
    EXPECT_FALSE(is_utf8(as_bytes(bytes))) << bytes;
  }
  EXPECT_TRUE(is_utf8({}));
}

TEST(Text, KeepsAscii) {
  std::string ascii;
  for (int c = 0; c < 0x80; ++c) ascii += static_cast<char>(c);
  EXPECT_EQ(to_utf8(ascii), ascii);
  EXPECT_EQ(to_utf8(""), "");
}

TEST(Text, ReadsStrayBytesAsWindows1252) {
  EXPECT_EQ(to_utf8("T\xF6nu"), "Tönu");
  EXPECT_EQ(to_utf8("\x80 \x85 \x99 \x9F"), "€ … ™ Ÿ");
  EXPECT_EQ(to_utf8("\xA0\xBF\xC0\xFF"), "\u00A0¿Àÿ");
  EXPECT_EQ(to_utf8("\x81\x8D\x8F\x90\x9D"), "     ");
}

// Terminals obey U+0080 to U+009F, and readers break lines at U+0085, U+2028 and U+2029.
TEST(Text, ControlsBeyondAsciiBecomeBlanks) {
  std::string controls;
  for (char32_t code = 0x80; code < 0xA0; ++code) append_code_point(code, controls);
  append_code_point(0x2028, controls);
  append_code_point(0x2029, controls);
  EXPECT_FALSE(is_clean_utf8(as_bytes(controls)));
  EXPECT_EQ(to_utf8(controls), std::string(34, ' '));
  for (const std::string_view shown :
       {"\u00A0", "\u00C2", "\u2027", "\u202A", "\u202E", "\u2066"}) {
    EXPECT_TRUE(is_clean_utf8(as_bytes(shown))) << shown;
    EXPECT_EQ(to_utf8(shown), shown);
  }
}

TEST(Text, ReadsWindows1251UnlessAllIsUtf8) {
  const auto line = [](std::string_view text) { return clean_line(text, CodePage::Windows1251); };
  EXPECT_EQ(line("\xCA\xE0\xF0\xEF\xEE\xE2"), "Карпов");
  EXPECT_EQ(line("Карпов"), "Карпов");
  EXPECT_EQ(line("\xCF\xB8\xF1"), "Пёс");  // begins like UTF-8
  EXPECT_EQ(line("a\x01\xA8\xB9"), "a Ё№");
}

TEST(Text, ReadsMixedEncodingsInOneString) {
  EXPECT_EQ(to_utf8("M\xC3\xBCller, J\xFCrgen"), "Müller, Jürgen");
  EXPECT_EQ(to_utf8("\xE2\x82\xAC \x80"), "€ €");
  EXPECT_EQ(to_utf8("\xE2\x82"), "â‚");
  EXPECT_EQ(to_utf8("caf\xC3\xA9\xE9"), "caféé");
}

TEST(Text, AnyBytesBecomeShortValidUtf8) {
  std::mt19937 random(1);
  // Mostly bytes that are special in sequences.
  constexpr std::string_view kBytes = "a\x7F\x80\x90\x9F\xA0\xBF\xC0\xC2\xE0\xE2\xED\xF0\xF4\xF5";
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 20, '\0');
    for (char& c : bytes) c = kBytes[random() % kBytes.size()];
    const std::string text = to_utf8(bytes);
    ASSERT_TRUE(is_utf8(as_bytes(text)));
    ASSERT_LE(text.size(), 3 * bytes.size());
    ASSERT_EQ(to_utf8(text), text);
    if (is_clean_utf8(as_bytes(bytes))) {
      ASSERT_EQ(text, bytes);
    }
  }
}

TEST(Text, CleanLineIsOneLine) {
  EXPECT_EQ(clean_line(as_bytes("a\tb\r\nc\x7F\x01")), "a b  c  ");
  EXPECT_EQ(clean_line(as_bytes(std::string_view("Z\0ABC", 5))), "Z");
  EXPECT_EQ(clean_line(as_bytes(std::string_view("\0", 1))), "");
  EXPECT_EQ(clean_line(Bytes()), "");
  EXPECT_EQ(clean_line(as_bytes("\xC9vry")), "Évry");
}

TEST(Text, EscapesForPgn) {
  EXPECT_EQ(pgn_escape(""), "");
  EXPECT_EQ(pgn_escape("plain"), "plain");
  EXPECT_EQ(pgn_escape(R"(a "b" \c)"), R"(a \"b\" \\c)");
}

// A page of which one byte is a letter, one begins pairs, and the others mean nothing.
TEST(Text, PagesMayHavePairs) {
  PageTable table{.number = 900, .pairs = std::vector<char32_t>(128 * 256, PageTable::kHole)};
  table.characters.fill(PageTable::kHole);
  table.characters[0x01] = 0x416;
  table.characters[0x02] = PageTable::kPair;
  table.pairs[0x02 * 256 + '\\'] = 0x1F600;
  const CodePage page(&table);
  const auto line = [page](std::string_view text) { return clean_line(text, page); };
  EXPECT_EQ(line("a\x81z"), "aЖz");
  EXPECT_EQ(line("a\x82\\z\x90"), "a😀z ");
  EXPECT_EQ(line("\x82z"), " z") << "half a pair";
  EXPECT_EQ(line("\x81\x82"), "Ж ");
  EXPECT_EQ(line("Müller"), "Müller") << "valid UTF-8 stays";
}

}  // namespace
}  // namespace scidfs::codec
