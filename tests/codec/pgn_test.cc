// The writer of PGN text: line breaks and comments.
#include "codec/pgn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "codec/scid/extra_tags.h"
#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::ScidEncoder;

std::string movetext(const ScidEncoder& game, unsigned width) {
  const std::string text = tests::render_record(game.record(), {.width = width}).text;
  EXPECT_THAT(tests::pgn_faults(text, width), IsEmpty()) << "width " << width;
  return text.substr(text.find("\n\n") + 2);
}

// A game of one comment, as it is printed, without the result and the braces.
std::string comment(std::string_view text, unsigned width) {
  ScidEncoder game;
  game.comment(text);
  std::string printed = movetext(game, width);
  EXPECT_TRUE(printed.starts_with('{')) << printed;
  return printed.substr(1, printed.rfind('}') - 1);
}

TEST(Wrapping, EmptyVariationsAreOmitted) {
  ScidEncoder game;
  game.move("e4").begin_variation().move("d4").begin_variation().end_variation().end_variation();
  game.move("e5");
  // The bracket that ends the outer variation stays with the move before the inner one.
  for (unsigned width = 1; width < 40; ++width) {
    ScidEncoder without;
    without.move("e4").begin_variation().move("d4").end_variation().move("e5");
    EXPECT_EQ(movetext(game, width), movetext(without, width)) << width;
  }
}

TEST(Wrapping, OfMoves) {
  ScidEncoder moves;
  moves.moves("e4 e5 Nf3 Nc6 Bb5");
  ScidEncoder check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  check.move("Ra8");
  ScidEncoder brackets;
  brackets.move("e4").begin_variation().move("d4").nag(10).end_variation().move("e5");
  ScidEncoder numbers("4k3/8/8/8/8/8/8/R3K3 b - - 0 254");
  numbers.moves("Ke7 Ra2 Ke8 Ra1 Ke7 Ra2");
  ScidEncoder long_numbers("4k3/8/8/8/8/8/8/R3K3 w - - 0 999999");
  long_numbers.moves("Ra2 Ke7 Ra1");
  const std::string word(30, 'x');  // longer than the line
  ScidEncoder long_word;
  long_word.move("e4").comment(word + " y").move("e5");
  const std::vector<std::tuple<const ScidEncoder*, unsigned, std::string>> cases = {
      {&moves, 10, "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 *"},
      {&moves, 9, "1. e4 e5\n2. Nf3\nNc6\n3. Bb5 *"},
      {&moves, 8, "1. e4 e5\n2. Nf3\nNc6\n3. Bb5 *"},
      {&moves, 7, "1. e4\ne5\n2. Nf3\nNc6\n3. Bb5\n*"},
      {&moves, 1, "1. e4\ne5\n2. Nf3\nNc6\n3. Bb5\n*"},
      {&moves, 0, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"},
      {&check, 9, "1. Ra8+ *"},
      {&check, 8, "1. Ra8+\n*"},
      {&brackets, 13, "1. e4 (1. d4\n$10) 1... e5\n*"},
      {&brackets, 1, "1. e4\n(1. d4\n$10)\n1... e5\n*"},
      {&numbers, 80, "254... Ke7 255. Ra2 Ke8 256. Ra1 Ke7 257. Ra2 *"},
      {&long_numbers, 80, "999999. Ra2 Ke7 1000000. Ra1 *"},
      {&long_word, 20, "1. e4\n{" + word + "\ny} 1... e5 *"},
  };
  for (const auto& [game, width, text] : cases) EXPECT_EQ(movetext(*game, width), text + "\n\n");
}

TEST(Comments, AreClean) {
  const std::string horse = "\xE2\x99\x98";  // three bytes, one column
  std::string horses;
  for (int i = 0; i < 9; ++i) horses += horse;
  struct Case {
    std::string text, printed;
    unsigned width = 80;
  };
  const std::vector<Case> cases = {
      // "{" and 9 characters, a blank, 9 characters and "}": 21 columns.
      {horses + " " + horses, horses + " " + horses, 21},
      {horses + " " + horses, horses + "\n" + horses, 20},
      // What was left of a line after its break counts for the next one.
      {horses + " " + horses + " " + horses, horses + "\n" + horses + "\n" + horses, 19},
      {horses + " " + horses + " " + horses, horses + " " + horses + "\n" + horses, 20},
      // Braces and control characters.
      {"a } b { c", "a ) b { c"},
      {"}}", "))"},
      {"a\x01\x02"
       "b\x7F"
       "c\x1B[1m",
       "a  b c [1m"},
      // C1 and the separators of lines and paragraphs, as bytes and as UTF-8; an override of
      // direction stays.
      {"a\x9D\xC2\x85\xE2\x80\xA8\xE2\x80\xA9"
       "b \xE2\x80\xAE",
       "a    b \xE2\x80\xAE"},
      // Blanks stay where no line is broken, but no line ends in one.
      {"a\tb\t\tc \t d", "a\tb\t\tc \t d"},
      {"a   b", "a   b"},
      {"  a  ", "  a  "},
      {"A    3 +2 =1   three", "A    3 +2 =1   three", 0},
      {"a  b\xC3\xA9   c", "a  b\xC3\xA9   c"},
      {"aaaa   bbbb cccc", "aaaa   bbbb\ncccc", 8},
      {"aaaa  %bbb cccc", "aaaa  %bbb\ncccc", 12},
      // Programs read `[%clk 0:01:02]`, line by line.
      {"[%clk 0:01:02] aaaa", "[%clk 0:01:02]\naaaa", 12},
      {"aaaa bbbb [%clk 0:01:02] cccc [%eval 0.3 0.1]",
       "aaaa\nbbbb [%clk 0:01:02]\ncccc [%eval 0.3 0.1]", 16},
      {"b\xC3\xA9 [%draw a b \xC3\xA9 d] cc dd [%x y]",
       "b\xC3\xA9 [%draw a b \xC3\xA9 d]\ncc\ndd [%x y]", 8},
      {"a } [%x\ny] b", "a ) [%x y] b"},
      // One that does not end is text.
      {"[%clk aaaa bbbb", "[%clk\naaaa\nbbbb", 8},
      // Line ends.
      {"a\nb", "a\nb"},
      {"a\r\nb", "a\nb"},
      {"a \n\n\n b", "a\nb"},
      {"a\t\n\tb", "a\nb"},
      {"a\rb", "a b"},
      {"a\nb\nc", "a b c", 0},
      // Readers would take these lines for others. Not even to keep the width: the line breaks
      // before the word in front.
      {"a\n[Event \"x\"]\n%b", "a [Event \"x\"] %b"},
      {"aaaa bbbb [Event]", "aaaa\nbbbb [Event]", 12},
      {"aaaaaaaaaa [b] %c", "aaaaaaaaaa [b] %c", 8},
      // Stray bytes.
      {"Andr\xE9", "Andr\xC3\xA9"},
      {"\x93quoted\x94 \xC3\xA9", "\xE2\x80\x9Cquoted\xE2\x80\x9D \xC3\xA9"},
      {"cut \xE2\x99", "cut \xC3\xA2\xE2\x84\xA2"},
  };
  for (const Case& test : cases) EXPECT_EQ(comment(test.text, test.width), test.printed);
}

TEST(Comments, NoLineLooksLikeTagOrEscape) {
  ScidEncoder game;
  game.move("e4").comment("[Event").comment("%x");
  for (unsigned width = 1; width < 30; ++width) movetext(game, width);
}

TEST(Tags, AreThoseOfPgnInOrder) {
  std::array<char, 2048> buffer;
  GameTags tags = tests::example_tags(Result::Draw);
  tags.date = {.year = 2019, .month = 5, .day = 0};
  tags.event_date = {.year = 2019, .month = 5, .day = 1};
  tags.white_rating = {.value = 2105, .type = RatingType::Elo};
  tags.black_rating = {.value = 1990, .type = RatingType::Uscf};
  tags.eco = 0x33B1;
  char* const end = write_tags(tags, buffer.data());
  EXPECT_EQ(std::string(buffer.data(), end),
            "[Event \"Event\"]\n[Site \"Site\"]\n[Date \"2019.05.??\"]\n[Round \"1\"]\n"
            "[White \"White, A\"]\n[Black \"Black, B\"]\n[Result \"1/2-1/2\"]\n"
            "[WhiteElo \"2105\"]\n[BlackUSCF \"1990\"]\n[ECO \"B01a\"]\n"
            "[EventDate \"2019.05.01\"]\n");
  EXPECT_LE(static_cast<std::size_t>(end - buffer.data()), max_tags_length(tags));
}

TEST(ExtraTags, FenSetUpAndEscapesAreWritten) {
  ScidEncoder game("4k3/8/8/8/8/8/8/4K3");
  game.tag("SetUp", "0").tag("Annotator", "A \"B\" C\\D").tag("Odd name!", "x\xC2\x85y\nz");
  const std::string text = tests::render_record(game.record()).text;
  EXPECT_THAT(tests::pgn_faults(text), IsEmpty());
  const tests::PgnGame parsed = tests::parse_pgn(text).at(0);
  EXPECT_EQ(tests::tag_value(parsed, "SetUp"), "1");
  EXPECT_EQ(tests::tag_value(parsed, "FEN"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(tests::tag_value(parsed, "Annotator"), R"(A \"B\" C\\D)");
  EXPECT_EQ(tests::tag_value(parsed, "Odd_name_"), "x y z");
}

TEST(ExtraTags, InvalidNamesAreChangedAndDuplicatesOmitted) {
  ScidEncoder game;
  for (const std::string_view name :
       {"BlackType:", "A=B", "A_B", "A=B", "_Line#", "+-", "__", "White ", " White", "-Black",
        "Site!", "\xC3\x89quipe", "9x"}) {
    game.tag(std::string(name), std::string("of ") + std::string(name));
  }
  const std::string text = tests::render_record(game.record()).text;
  EXPECT_THAT(tests::pgn_faults(text), IsEmpty());
  const std::size_t extra = text.find("[Black");
  EXPECT_EQ(text.substr(text.find('\n', text.find("[Result")) + 1),
            "[BlackType_ \"of BlackType:\"]\n[A_B \"of A=B\"]\n[Line_ \"of _Line#\"]\n"
            "[X__ \"of +-\"]\n[White_ \"of White \"]\n[Site_ \"of Site!\"]\n"
            "[quipe \"of \xC3\x89quipe\"]\n[9x \"of 9x\"]\n\n*\n\n");
  EXPECT_EQ(extra, text.find("[Black \"Black, B\"]"));
}

TEST(ExtraTags, TheFirstPlaceAndTheLastValueCount) {
  ScidEncoder game;
  game.tag("Source", "first").tag("Annotator", "x").tag("Source", "last");
  const std::string text = tests::render_record(game.record()).text;
  EXPECT_THAT(text, HasSubstr("[Source \"last\"]\n[Annotator \"x\"]\n\n"));
}

TEST(ExtraTags, TagsOfTheIndexAreKnown) {
  for (const std::string_view name :
       {"Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "EventDate", "SetUp",
        "FEN", "WhiteElo", "BlackElo", "WhiteECF", "BlackRapid", "WhiteUSCF"}) {
    EXPECT_TRUE(scid::is_tag_of_index(name)) << name;
  }
  for (const std::string_view name : {"event", "Annotator", "WhiteTeam", "Whit", "Elo", "WhiteElo2",
                                      "White_", "Setup", "Variant", "Opening", ""}) {
    EXPECT_FALSE(scid::is_tag_of_index(name)) << name;
  }
}

TEST(ExtraTags, SetUpIsWrittenOnlyWithFen) {
  ScidEncoder game;
  game.tag("SetUp", "1").move("e4");
  EXPECT_EQ(tests::render_record(game.record()).text.find("SetUp"), std::string::npos);
}

// For programs that know no null moves.
TEST(NullMoves, BecomeCommentsOnRequest) {
  ScidEncoder game;
  game.move("e4").comment("a");
  game.begin_variation().move("d4").begin_variation().move("--").comment("[%b] }").move("e5").nag(
      1);
  game.begin_variation().move("d5").end_variation().end_variation().move("d5").end_variation();
  game.move("e5").move("--").nag(2).move("Nf6").begin_variation().move("--").end_variation();
  game.move("Nc3");
  const auto print = [record = game.record()](bool quote, unsigned width) {
    const PgnOptions options{.width = width, .quote_null_moves = quote};
    const std::string text = tests::render_record(record, options).text;
    return text.substr(text.find("\n\n") + 2);
  };
  EXPECT_EQ(print(false, 0),
            "1. e4 {a} (1. d4 (1. -- {[%b] )} 1... e5 $1 (1... d5)) 1... d5) 1... e5 2. -- $2 Nf6 "
            "(2... --) 3. Nc3 *\n\n");
  EXPECT_EQ(print(true, 0),
            "1. e4 {a} (1. d4 ({1. -- [%b] ) 1... e5 $1 (1... d5)}) 1... d5) 1... e5 {2. -- $2 Nf6 "
            "(2... --) 3. Nc3} *\n\n");
  for (unsigned width = 10; width < 40; ++width) {
    EXPECT_EQ(tests::fold_spaces(print(true, width)), tests::fold_spaces(print(true, 0)));
    EXPECT_EQ(print(true, width).find("\n["), std::string::npos) << print(true, width);
  }
}

// For each width only white space differs, and the rules hold.
TEST(Wrapping, WidthChangesOnlyWhiteSpace) {
  tests::Random random(14);
  for (int round = 0; round < 300; ++round) {
    tests::RandomGameOptions options{.plies = 10 + random.below(80)};
    if (random.one_in(3)) options.fen = tests::example_fens()[random.below(15)];
    const ScidEncoder game = tests::random_game(random, options);
    const std::string plain = tests::fold_spaces(movetext(game, 0));
    for (int i = 0; i < 6; ++i) {
      const auto width = static_cast<unsigned>(20 + random.below(181));
      ASSERT_EQ(tests::fold_spaces(movetext(game, width)), plain) << "width " << width;
      if (HasFailure()) return;
    }
  }
}

TEST(Wrapping, WidthZeroIsOneLine) {
  tests::Random random(15);
  for (int round = 0; round < 50; ++round) {
    const std::string text = movetext(tests::random_game(random), 0);
    EXPECT_EQ(text.find('\n'), text.size() - 2);
  }
}

// Lines are as full as possible: the first word of a line would not fit on the line before. Games
// without comments, which have line breaks of their own.
TEST(Wrapping, LinesAreAsFullAsPossible) {
  tests::Random random(16);
  for (int round = 0; round < 100; ++round) {
    const auto width = static_cast<unsigned>(20 + random.below(80));
    std::istringstream lines(movetext(tests::random_game(random, {.annotated = false}), width));
    std::string before;
    for (std::string line; std::getline(lines, line) && !line.empty(); before = line) {
      if (before.empty()) continue;
      std::size_t end = std::min(line.find(' '), line.size());
      if (line[end - 1] == '.') end = std::min(line.find(' ', end + 1), line.size());
      EXPECT_GT(before.size() + 1 + end, width) << before << '\n' << line;
    }
  }
}

}  // namespace
}  // namespace scidfs::codec
