// Compares processing of texts in blocks with processing byte by byte, and comments with the
// simplest way to break lines.
#include "codec/text_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/processor_time.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/shared_records.h"

namespace scidfs::codec {
namespace {

// Words of letters with special bytes in between, in some texts often, in others nearly never.
std::string random_text(tests::Random& random, std::size_t max_length,
                        std::string_view special = "}\x7F\x1F\x80\xFF\"\\!~ ") {
  const std::size_t length = random.below(max_length + 1);
  const std::size_t rare = 2 + random.below(60);
  std::string text;
  while (text.size() < length) {
    text += random.one_in(rare) ? special[random.below(special.size())]
            : random.one_in(5)  ? " [%]abcd"[random.below(8)]
                                : 'x';
  }
  return text;
}

std::size_t simple_plain_length(std::string_view text) {
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    if (c < ' ' || c > '~' || c == '}') break;
  }
  while (length != 0 && text[length - 1] == ' ') --length;
  return length;
}

std::size_t simple_plain_value_length(std::string_view text) {
  const auto* const end = std::ranges::find_if(
      text, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  return static_cast<std::size_t>(end - text.begin());
}

TEST(Blocks, FindAndCopyPlainText) {
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

// At a single blank, unless the text after it must not begin a line.
bool may_break(std::string_view text, std::size_t i) {
  if (text[i] != ' ' || (i > 0 && static_cast<unsigned char>(text[i - 1]) <= ' ')) return false;
  if (i + 1 == text.size()) return true;
  return static_cast<unsigned char>(text[i + 1]) > ' ' && !must_not_begin_line(text[i + 1]);
}

TEST(Blocks, FindPlacesForLineBreaks) {
  tests::Random random(2);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random, 70);
    std::string room = std::string(kTextBlock + 1, '.') + text + ".";
    char* const begin = room.data() + kTextBlock + 1;
    char* const end = begin + text.size();
    char* first = nullptr;
    char* last = nullptr;
    for (char* blank = begin; blank != end; ++blank) {
      if (!may_break(room, static_cast<std::size_t>(blank - room.data()))) continue;
      if (first == nullptr) first = blank;
      last = blank;
    }
    ASSERT_EQ(first_break(begin, end), first) << text;
    ASSERT_EQ(last_break(begin, end), last) << text;
  }
}

// True if a position is inside a `[%...]` that no bracket of another comment ends.
bool is_in_annotation(std::string_view line, std::size_t place) {
  const std::size_t open = line.substr(0, place).rfind("[%");
  const std::size_t close = line.find_first_of("]}", place);
  return open != std::string_view::npos && close != std::string_view::npos && line[close] == ']' &&
         line.substr(open, place - open).find_first_of("]}") == std::string_view::npos;
}

// Breaks a line as late as possible: at blanks, counting characters.
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
    if (i < line.size() && may_break(line, i) && !is_in_annotation(line, i)) blank = i;
    if (i < line.size() && (line[i] & 0xC0) != 0x80) ++columns;
  }
  return line;
}

// Wherever a run stands in a line, with plain and other text: blanks in place of line ends make the
// comment again.
TEST(Comments, RunsOfBlanksStayWithinTheirLine) {
  for (const std::string& run :
       std::vector<std::string>{"  ", "   ", " \t", "\t", "\t ", std::string(100, ' ')}) {
    for (std::size_t column = 1; column < 200; ++column) {
      for (const std::string_view letter : {"a", "\xC3\xA9"}) {
        std::string comment;
        for (std::size_t i = 0; i < column; ++i)
          comment += i % 9 == 8 ? std::string_view(" ") : letter;
        comment.append(letter).append(run).append("b c").append(run).append(letter).append(" d");
        const std::string record = tests::ScidEncoder().comment(comment).move("e4").record();
        std::string text = tests::render_record(record, {.width = 80}).text;
        text = text.substr(text.find('{') + 1);
        text.resize(text.find('}'));
        std::ranges::replace(text, '\n', ' ');
        EXPECT_EQ(text, comment);
      }
    }
  }
}

// Many beginnings of annotations that end soon, late or never.
TEST(Comments, UnterminatedAnnotationsWrapLikeText) {
  tests::Random random(4);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t closing = 2 + random.below(200);
    std::string comment = "x";
    while (comment.size() < 600) {
      comment += random.one_in(3)         ? " [%"
                 : random.one_in(closing) ? "]"
                 : random.one_in(3)       ? " "
                                          : "a";
    }
    comment += 'x';
    std::erase(comment, '\t');
    const auto print = [&](unsigned width) {
      const std::string record = tests::ScidEncoder().comment(comment).move("e4").record();
      const std::string text = tests::render_record(record, {.width = width}).text;
      return text.substr(text.find("\n\n") + 2);
    };
    const auto width = static_cast<unsigned>(1 + random.below(100));
    std::string line = print(0);
    line.resize(line.size() - 2);
    const std::size_t number = line.find("1. e4") + 2;
    line[number] = '_';
    std::string wrapped = simple_wrap(line, width);
    wrapped[number] = ' ';
    ASSERT_EQ(print(width), wrapped + "\n\n") << comment;
  }
}

TEST(Comments, UnterminatedAnnotationsTakeNoLongerThanText) {
  const auto time_of = [](std::string_view words) {
    const std::string record = tests::longest_record(words);
    return tests::least_time([&] { tests::render_record(record); });
  };
  const double text =
      time_of("(. aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk lll mmm nnn ooo ppp ");
  constexpr double kMost = 4;
  for (const std::string_view words :
       {"[% aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk lll mmm nnn ooo ppp ",
        "[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[%[% ", "[% aaa bbb\n"}) {
    EXPECT_LT(time_of(words), kMost * text) << words;
  }
}

// With variations that end after a comment, whose brackets may not fit.
TEST(Comments, LinesBreakAsLateAsPossible) {
  tests::Random random(3);
  for (int round = 0; round < 3000; ++round) {
    tests::ScidEncoder game;
    game.comment(random_text(random, 300, " }\xE9  ]")).move("e4");
    game.begin_variation().move("d4").comment(random_text(random, 60)).end_variation();
    const auto print = [record = game.record()](unsigned width) {
      const std::string text = tests::render_record(record, {.width = width}).text;
      return text.substr(text.find("\n\n") + 2);
    };
    const auto width = static_cast<unsigned>(1 + random.below(100));
    std::string line = print(0);
    line.resize(line.size() - 2);
    // A number stays with its move.
    const std::array numbers = {line.find("1. e4") + 2, line.find("(1. d4") + 3};
    for (const std::size_t number : numbers) line[number] = '_';
    std::string wrapped = simple_wrap(line, width);
    for (const std::size_t number : numbers) wrapped[number] = ' ';
    ASSERT_EQ(print(width), wrapped + "\n\n") << "width " << width;
  }
}

}  // namespace
}  // namespace scidfs::codec
