// Texts in blocks against the same byte by byte, and comments against the simplest way to break
// lines.
#include "codec/text_blocks.h"

#include <gtest/gtest.h>

#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec {
namespace {

// Words of letters with what needs care in between, in some texts often, in some nearly never.
std::string random_text(tests::Random& random, std::size_t max_length,
                        std::string_view special = "}\x7F\x1F\x80\xFF\"\\!~ ") {
  const std::size_t length = random.below(max_length + 1);
  const std::size_t rare = 2 + random.below(60);
  std::string text;
  while (text.size() < length) {
    text += random.one_in(rare) ? special[random.below(special.size())]
            : random.one_in(5)  ? " [%abcde"[random.below(8)]
                                : 'x';
  }
  return text;
}

std::size_t simple_plain_length(std::string_view text) {
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    if (c < ' ' || c > '~' || c == '}') break;
    if (c == ' ' && length + 1 < text.size() && text[length + 1] == ' ') break;
  }
  return length != 0 && text[length - 1] == ' ' ? length - 1 : length;
}

std::size_t simple_plain_value_length(std::string_view text) {
  const auto* const end = std::ranges::find_if(
      text, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  return static_cast<std::size_t>(end - text.begin());
}

TEST(Blocks, FindAndCopyWhatIsPlain) {
  tests::Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random, 70);
    std::string copy(text.size() + kTextBlock, '\0');
    const std::size_t length = plain_length(text);
    ASSERT_EQ(length, simple_plain_length(text)) << text;
    ASSERT_EQ(copy_plain(text, copy.data()), length) << text;
    ASSERT_EQ(copy.substr(0, length), text.substr(0, length));
    const std::size_t value_length = copy_plain_value(text, copy.data());
    ASSERT_EQ(value_length, simple_plain_value_length(text)) << text;
    ASSERT_EQ(copy.substr(0, value_length), text.substr(0, value_length));
  }
}

TEST(Blocks, FindWhereLinesMayBreak) {
  tests::Random random(2);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random, 70);
    std::string room = std::string(kTextBlock, ' ') + text + ".";
    char* const begin = room.data() + kTextBlock;
    char* const end = begin + text.size();
    char* first = nullptr;
    char* last = nullptr;
    for (char* blank = begin; blank != end; ++blank) {
      if (*blank != ' ' || blank[1] == '[' || blank[1] == '%') continue;
      if (first == nullptr) first = blank;
      last = blank;
    }
    ASSERT_EQ(first_break(begin, end), first) << text;
    ASSERT_EQ(last_break(begin, end), last) << text;
  }
}

// Breaks a line as late as it may be: at blanks, counting characters.
std::string simple_wrap(std::string line, std::size_t width) {
  std::size_t blank = std::string::npos;
  std::size_t columns = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool ends_word = i == line.size() || line[i] == ' ';
    if (ends_word && columns > width && blank != std::string::npos) {
      line[blank] = '\n';
      i = blank;
      blank = std::string::npos;
      columns = 0;
      continue;
    }
    if (i < line.size() && line[i] == ' ' && !must_not_begin_line(line[i + 1])) blank = i;
    if (i < line.size() && (line[i] & 0xC0) != 0x80) ++columns;
  }
  return line;
}

// With variations that end after a comment, whose brackets may not fit.
TEST(Comments, AreBrokenAsLateAsTheyMay) {
  tests::Random random(3);
  for (int round = 0; round < 3000; ++round) {
    tests::ScidEncoder game;
    game.comment(random_text(random, 300, " }\xE9  ")).move("e4");
    game.begin_variation().comment(random_text(random, 60)).end_variation();
    const auto print = [record = game.record()](unsigned width) {
      const std::string text = tests::render_record(record, {.width = width}).text;
      return text.substr(text.find("\n\n") + 2);
    };
    const auto width = static_cast<unsigned>(1 + random.below(100));
    std::string line = print(0);
    line.resize(line.size() - 2);
    // A number stays with its move.
    const std::size_t number = line.find("1. e4") + 2;
    line[number] = '_';
    std::string wrapped = simple_wrap(line, width);
    wrapped[number] = ' ';
    ASSERT_EQ(print(width), wrapped + "\n\n") << "width " << width;
  }
}

}  // namespace
}  // namespace scidfs::codec
