// Texts of whole games: the example of codec/scid/FORMAT.md, order of notes and damage in them,
// nesting depth.
#include "codec/scid/game_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::render_record;
using tests::ScidEncoder;

using namespace std::string_literals;

// Returns the movetext of a good record in one line.
std::string movetext(const std::string& record, const PgnOptions& options = {.width = 0}) {
  const tests::RenderedGame game = render_record(record, options);
  EXPECT_FALSE(game.damage.has_value()) << game.damage->reason;
  EXPECT_THAT(tests::pgn_faults(game.text, options.width), IsEmpty());
  return tests::fold_spaces(game.text.substr(game.text.find("\n\n")));
}

// Returns the reason for which a record is damaged, and its movetext without the remark.
std::pair<std::string, std::string> damage(const std::string& record) {
  const tests::RenderedGame game = render_record(record, {.width = 0});
  EXPECT_TRUE(game.damage.has_value());
  EXPECT_THAT(tests::pgn_faults(game.text, 0), IsEmpty());
  std::string text = tests::fold_spaces(game.text.substr(game.text.find("\n\n")));
  const std::size_t remark = text.find("{scidfs: game 1 is damaged at byte ");
  EXPECT_NE(remark, std::string::npos) << text;
  if (remark != std::string::npos) text.resize(remark);
  return {std::string(game.damage.value_or(Damage{}).reason), text};
}

// Returns a record with these moves, without tags and FEN.
std::string of_moves(const std::string& moves, const std::string& comments = "") {
  return "\0\0"s + moves + comments;
}

constexpr char kE4 = '\xCF';  // the e pawn of White or Black, two squares
constexpr char kD5 = '\xBF';

const std::string& worked_example() {
  static const std::string record =
      "\xF3\x02Me\x05"s
      "Board\x01"s
      "7\0\0"s
      "\x0C\xCF\xBF\xC0\x4C\x0B\x02\x0B\x0E\x0C\x0D\x61\xBF\x0D\xAF\x0E\x0E\x28\x40\x0C\x0F"s
      "Start\0early\0safe\0"s;
  return record;
}

TEST(WorkedExample, RecordEqualsThatOfScid) {
  EXPECT_EQ(worked_example(), tests::read_file(tests::test_data("scid4/worked_example.sg4")));
  EXPECT_EQ(worked_example().size(), 52u);
}

TEST(WorkedExample, TextMatchesTheFormat) {
  const tests::RenderedGame game =
      render_record(worked_example(), {}, tests::example_tags(Result::WhiteWins));
  EXPECT_EQ(game.text,
            "[Event \"Event\"]\n[Site \"Site\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n"
            "[White \"White, A\"]\n[Black \"Black, B\"]\n[Result \"1-0\"]\n"
            "[Annotator \"Me\"]\n[Board \"7\"]\n\n"
            "{Start} 1. e4 d5 2. exd5 Qxd5 $2 $14 {early} (2... Nf6 3. d4 (3. c4)) 3. Nc3 Qa5\n"
            "{safe} 1-0\n\n");
  EXPECT_FALSE(game.damage.has_value());
}

TEST(WorkedExample, EncoderWritesTheSameRecord) {
  ScidEncoder game;
  game.tag("Annotator", "Me").tag("Board", "7").comment("Start").moves("e4 d5 exd5 Qxd5");
  game.nag(2).nag(14).comment("early");
  game.begin_variation().moves("Nf6 d4").begin_variation().move("c4").end_variation();
  game.end_variation().moves("Nc3 Qa5").comment("safe");
  EXPECT_EQ(game.record(), worked_example());
}

TEST(Options, OmitCommentsVariationsAndNags) {
  EXPECT_EQ(movetext(worked_example(), {.comments = false, .width = 0}),
            "1. e4 d5 2. exd5 Qxd5 $2 $14 (2... Nf6 3. d4 (3. c4)) 3. Nc3 Qa5 *");
  EXPECT_EQ(movetext(worked_example(), {.variations = false, .width = 0}),
            "{Start} 1. e4 d5 2. exd5 Qxd5 $2 $14 {early} 3. Nc3 Qa5 {safe} *");
  EXPECT_EQ(movetext(worked_example(), {.nags = false, .width = 0}),
            "{Start} 1. e4 d5 2. exd5 Qxd5 {early} (2... Nf6 3. d4 (3. c4)) 3. Nc3 Qa5 {safe} *");
  EXPECT_EQ(movetext(worked_example(),
                     {.comments = false, .variations = false, .nags = false, .width = 0}),
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *");
}

TEST(Options, HideNotesOfHiddenVariations) {
  ScidEncoder game;
  game.move("e4").begin_variation().comment("a").move("d4").nag(1).comment("b");
  game.begin_variation().move("c4").comment("c").end_variation().end_variation();
  game.move("e5").comment("d");
  EXPECT_EQ(movetext(game.record(), {.variations = false, .width = 0}), "1. e4 e5 {d} *");
}

TEST(EmptyVariations, AreOmitted) {
  ScidEncoder game;
  game.move("e4").begin_variation().end_variation().begin_variation().end_variation();
  game.move("e5").nag(1).begin_variation().end_variation().move("Nf3");
  game.begin_variation().move("d4").begin_variation().end_variation().end_variation();
  game.begin_variation().nag(4).end_variation();
  // Numbers too are as without the variations.
  EXPECT_EQ(movetext(game.record()), "1. e4 e5 $1 2. Nf3 (2. d4) *");
  ScidEncoder mate;
  mate.moves("f3 e5 g4 Qh4").begin_variation().end_variation();
  EXPECT_EQ(movetext(mate.record()), "1. f3 e5 2. g4 Qh4# *");
}

// Readers refuse a variation that contains only a comment, which Scid prints.
TEST(EmptyVariations, PassTheirCommentsToPrecedingMove) {
  ScidEncoder game;
  game.move("e4").begin_variation().comment("why not?").end_variation().move("e5");
  EXPECT_EQ(movetext(game.record()), "1. e4 {why not?} 1... e5 *");
  EXPECT_EQ(movetext(game.record(), {.comments = false, .width = 0}), "1. e4 e5 *");
  EXPECT_EQ(movetext(game.record(), {.variations = false, .width = 0}), "1. e4 e5 *");
  // A text without a marker, for the start of the variation.
  EXPECT_EQ(movetext(of_moves("\xCF\x0C\x0D\x0E\xCF\x0F"s, "a\0b\0"s)), "1. e4 {a} {b} 1... e5 *");
  // After the comment of the move itself, and before the variations that come first in the record.
  ScidEncoder more;
  more.move("e4").begin_variation().move("d4").begin_variation().comment("3").end_variation();
  more.end_variation().begin_variation().comment("1").nag(5).end_variation();
  more.begin_variation().move("c4").end_variation().begin_variation().comment("2").end_variation();
  more.comment("0").move("e5");
  EXPECT_EQ(movetext(more.record()), "1. e4 {0} {1} {2} (1. d4 {3}) (1. c4) 1... e5 *");
  EXPECT_EQ(movetext(more.record(), {.variations = false, .width = 0}), "1. e4 {0} 1... e5 *");
}

TEST(Numbers, BlackMoveIsNumberedAtStartOfLine) {
  ScidEncoder game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 57");
  game.moves("Kd7 e4").comment("c").move("Kd6").nag(1).move("Kd2");
  game.begin_variation().move("Ke2").end_variation().move("Ke5");
  EXPECT_EQ(movetext(game.record()),
            "57... Kd7 58. e4 {c} 58... Kd6 $1 59. Kd2 (59. Ke2) 59... Ke5 *");
}

TEST(Notes, BelongToPrecedingMove) {
  struct Case {
    std::string moves, comments, text;
  };
  const std::vector<Case> cases = {
      // 1. e4 (1. d4) with a NAG and a comment after the variation.
      {"\xCF\x0D\xBF\x0E\x0B\x01\x0C\xCF\x0F", "late\0"s, "1. e4 $1 {late} (1. d4) 1... e5 *"},
      // It replaces what stood before the variation.
      {"\xCF\x0C\x0D\xBF\x0C\x0E\x0C\x0F", "early\0in\0late\0"s, "1. e4 {late} (1. d4 {in}) *"},
      // After a variation of the variation.
      {"\xCF\x0D\xBF\x0D\xAF\x0E\x0C\x0E\x0F", "late\0"s, "1. e4 (1. d4 {late} (1. c4)) *"},
      // Two markers at one node.
      {"\x0C\x0C\xCF\x0C\x0C\x0F", "a\0b\0c\0d\0"s, "{b} 1. e4 {d} *"},
      // An empty text is no comment, and takes an earlier one away.
      {"\xCF\x0C\x0C\xCF\x0F", "a\0\0"s, "1. e4 e5 *"},
      // Surplus texts go to the nodes after.
      {"\xCF\xCF\x0F", "c1\0c2\0"s, "{c1} 1. e4 {c2} 1... e5 *"},
      {"\xCF\x0C\xCF\x0F", "m\0s\0"s, "1. e4 {m} 1... e5 {s} *"},
      // After the moves: start of a variation, its move, its invisible end.
      {"\xCF\x0C\x0D\xBF\x0E\xCF\x0F", "m\0a\0b\0gone\0c\0too many\0"s,
       "1. e4 {m} ({a} 1. d4 {b}) 1... e5 {c} *"},
      // What is no whole text is ignored.
      {"\xCF\x0F", "rest", "1. e4 *"},
      // Before the first move of a line NAGs are lost.
      {"\x0B\x01\xCF\x0D\x0B\x02\xBF\x0E\x0F", "", "1. e4 (1. d4) *"},
      // Operands of NAGs do not end the moves.
      {"\xCF\x0C\x0F", "text\0"s, "1. e4 {text} *"},
      {"\xCF\x0B\x0F\x0C\x0F", "text\0"s, "1. e4 $15 {text} *"},
      {"\xCF\x0B\x0B\x0C\x0F", "text\0"s, "1. e4 $11 {text} *"},
      // 10 to 21 replace one another.
      {"\xCF\x0B\x0B\x0B\x0F\x0C\x0F", "text\0"s, "1. e4 $15 {text} *"},
      {"\xCF\x0B\x0F\x0B\x0F\x0B\x0B\x0C\x0F", "text\0"s, "1. e4 $11 {text} *"},
      {"\x0C\xCF\x0B\x0B\x0F", "text\0"s, "{text} 1. e4 $11 *"},
  };
  for (const Case& test : cases)
    EXPECT_EQ(movetext(of_moves(test.moves, test.comments)), test.text);
}

TEST(Nags, FollowRulesOfScid) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\x01", " $1"},
      {"\0"s, ""},
      {"\x01\x02", " $2"},               // 1..6 replace one another
      {"\x0A\x15", " $21"},              // 10..21 too
      {"\x0A\x92\x06", " $6 $10 $146"},  // 1..6 come first
      {"\x92\x92", " $146 $146"},
      {"\x07\x08\x09\x16\x17\xFF\x0F", " $7 $8 $9 $22 $23 $255 $15"},
      {"\x0B\x0C\x0D\x0E\x0F", " $15"},  // operands are no markers
  };
  for (const auto& [values, nags] : cases) {
    std::string moves(1, kE4);
    for (const char value : values) moves.append(1, '\x0B').append(1, value);
    EXPECT_EQ(movetext(of_moves(moves + '\x0F')), "1. e4" + nags + " *");
  }
}

TEST(Nags, MoreThanSevenAtOneMoveAreDamage) {
  std::string moves(1, kE4);
  for (int i = 0; i < 8; ++i) moves.append("\x0B\x40");
  const auto [reason, text] = damage(of_moves(moves + '\x0F'));
  EXPECT_THAT(reason, HasSubstr("seven NAGs"));
  EXPECT_EQ(text, "1. e4 $64 $64 $64 $64 $64 $64 $64 ");
}

// Returns the tags of a text in order, by name.
std::vector<std::string> tag_names(std::string_view text) {
  std::vector<std::string> names;
  while (text.starts_with("[")) {
    names.emplace_back(text.substr(1, text.find(' ') - 1));
    text.remove_prefix(text.find('\n') + 1);
  }
  return names;
}

// All other parts of a game stay the same, and the remaining tags have the same values.
TEST(Roster, OmitsOnlyOtherTagsInEveryFixture) {
  std::vector<tests::ScidDatabase> databases;
  for (const std::string& name : tests::stems_in("scid4", ".si4")) {
    databases.emplace_back(tests::test_data("scid4/" + name));
  }
  databases.emplace_back(tests::test_data("scid4/handmade/edge_tags"));
  databases.emplace_back(tests::test_data("scid5/chess960"), ".si5");
  const std::vector<std::string> roster = {"Event", "Site",  "Date",  "Round",
                                           "White", "Black", "Result"};
  bool has_fewer = false;
  for (const tests::ScidDatabase& database : databases) {
    const auto all = database.render_games();
    const auto some = database.render_games({.all_tags = false});
    for (std::size_t game = 0; game < all.size(); ++game) {
      const std::string& text = all[game].text;
      std::vector<std::string> expected = roster;
      std::string lines;
      for (std::string_view rest = text; rest.starts_with("[");) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        rest.remove_prefix(line.size());
        const std::string name = tag_names(line)[0];
        const bool in_roster = std::ranges::find(roster, name) != roster.end();
        const bool is_start =
            name == "FEN" || (name == "SetUp" && text.find("\n[FEN \"") != std::string::npos);
        const bool is_variant =
            name == "Variant" && (database.entry(static_cast<std::uint32_t>(game)).chess960 ||
                                  text.find("\n[Variant \"fischerandom\"]") != std::string::npos);
        if (in_roster || is_start || is_variant) lines += line;
        if (!in_roster && (is_start || is_variant)) expected.push_back(name);
      }
      EXPECT_EQ(tag_names(some[game].text), expected);
      EXPECT_EQ(some[game].text, lines + text.substr(text.find("\n\n") + 1));
      has_fewer |= some[game].text.size() < text.size();
    }
  }
  EXPECT_TRUE(has_fewer);
}

// In records of every format: without the tag, letters mean castling of chess.
TEST(Castling, FollowsChess960WithVariantTag) {
  struct Case {
    std::string_view variant, fen, moves, shown;
  };
  constexpr std::string_view kSides = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1";
  constexpr std::string_view kHome = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const std::vector<Case> cases = {
      {"Chess960", kSides, "\x0A\x09", "1. O-O O-O-O+ *"},
      {"fischerandom", kSides, "\x0A\x09", "1. O-O O-O-O+ *"},
      {"Chess 960", kSides, "\x09\x0A", "1. O-O-O O-O *"},
      {"Freestyle Chess", kSides, "", "*"},
      {"fischerandom", kHome, "\x0A\x09", "1. O-O O-O-O *"},
      {"Standard", kHome, "\x0A\x09", "1. O-O O-O-O *"},
  };
  const auto record = [](const Case& test) {
    return "\7Variant"s + static_cast<char>(test.variant.size()) + std::string(test.variant) +
           "\0\1"s + std::string(test.fen) + '\0' + std::string(test.moves) + '\x0F';
  };
  for (const Case& test : cases) {
    for (const bool all_tags : {true, false}) {
      const tests::RenderedGame game =
          render_record(record(test), {.width = 0, .all_tags = all_tags});
      EXPECT_FALSE(game.damage.has_value()) << game.text;
      EXPECT_THAT(game.text, HasSubstr(test.fen));
      EXPECT_THAT(game.text, HasSubstr("\n\n" + std::string(test.shown) + '\n'));
      const bool has_variant = game.text.find("[Variant ") != std::string::npos;
      EXPECT_EQ(has_variant, all_tags || test.fen == kSides) << game.text;
    }
  }
  const tests::RenderedGame other = render_record(record({"Standard", kSides, "", ""}));
  EXPECT_THAT(other.text, HasSubstr("1R2K1R1 w - - 0 1"));
}

TEST(Damage, HasReasonAndKeepsMovesBeforeIt) {
  struct Case {
    std::string record, reason, kept;
  };
  const std::vector<Case> cases = {
      {of_moves({kE4, kD5}), "the moves do not end", "1. e4 d5 "},
      {of_moves("\x0D\x0F"), "a variation begins before any move", ""},
      {of_moves("\xCF\x0D\x0D\x0F"), "a variation begins before any move", "1. e4 "},
      {of_moves("\xCF\x0E\x0F"), "a variation ends that has not begun", "1. e4 "},
      {of_moves("\xCF\x0D\x0F"), "the game ends inside a variation", "1. e4 "},
      {of_moves("\xCF\x0D\xBF\x0F"), "the game ends inside a variation", "1. e4 (1. d4) "},
      {of_moves("\xCF\x0C\xCF\x0F", "no end"), "a comment's text is missing", "1. e4 "},
      {of_moves("\xCF\x0B"), "a NAG is cut off", "1. e4 "},
      {"\0\1x\0\x0F"s, "the FEN is no position", ""},
      {"\0\1 8/8"s, "the FEN does not end", ""},
      {"", "the tags do not end", ""},
      {"\0"s, "the record ends before its flags", ""},
      {"\x05"
       "Foo",
       "a tag is longer than the record", ""},
      // Late notes and damage in one game.
      {of_moves("\xCF\x0D\xBF\x0E\x0B\x01\xCF\x0E\x0F"), "a variation ends that has not begun",
       "1. e4 $1 (1. d4) 1... e5 "},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(damage(test.record), std::pair(test.reason, test.kept));
  }
}

TEST(Damage, HasOffset) {
  const tests::RenderedGame game = render_record(of_moves("\xCF\xCF\x60\x0F"s));
  ASSERT_TRUE(game.damage.has_value());
  EXPECT_EQ(game.damage->offset, 4u);
  TextBuffer out;
  GameText writer({.width = 0});
  const std::string record = of_moves("\xCF\xCF\x60\x0F"s);
  writer.append(tests::example_tags(), {.number = 12, .offset = 1000}, tests::as_bytes(record),
                out);
  EXPECT_THAT(std::string(out.view()),
              HasSubstr("{scidfs: game 12 is damaged at byte 1004 of the game file: "));
}

TEST(Damage, EveryTruncationIsDetectedAndGivesValidText) {
  tests::Random random(10);
  std::vector<std::string> records = {worked_example()};
  records.push_back(tests::random_game(random, {.plies = 40}).record());
  records.push_back(tests::random_game(random, {.plies = 40}).tag("Annotator", "X\xE9").record());
  records.push_back(
      tests::random_game(random, {.plies = 30, .fen = tests::example_fens()[7]}).record());
  for (const std::string& record : records) {
    ASSERT_FALSE(render_record(record).damage.has_value());
    for (std::size_t length = 0; length < record.size(); ++length) {
      const tests::RenderedGame game = render_record(record.substr(0, length));
      EXPECT_TRUE(game.damage.has_value()) << length << " of " << record.size();
      EXPECT_LE(game.damage.value_or(Damage{}).offset, length);
      EXPECT_THAT(tests::pgn_faults(game.text), IsEmpty());
      EXPECT_EQ(tests::parse_pgn(game.text).size(), 1u);
    }
  }
}

TEST(Damage, RandomBytesGiveValidText) {
  tests::Random random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string record = tests::random_game(random, {.plies = 15}).record();
    for (std::size_t i = 0; i <= random.below(3); ++i) {
      record[random.below(record.size())] = static_cast<char>(random.below(256));
    }
    const tests::RenderedGame game = render_record(record);
    ASSERT_THAT(tests::pgn_faults(game.text), IsEmpty()) << game.text;
    ASSERT_EQ(tests::parse_pgn(game.text).size(), 1u);
  }
}

TEST(Stub, IsValidPgnGame) {
  TextBuffer out;
  GameText writer({});
  writer.append_stub(tests::example_tags(Result::Draw), {.number = 3, .offset = 77}, "it is gone",
                     out);
  const std::string text(out.view());
  EXPECT_THAT(tests::pgn_faults(text), IsEmpty());
  EXPECT_THAT(tests::fold_spaces(text),
              HasSubstr("{scidfs: game 3 cannot be read at byte 77 of the game file: it is gone}"));
}

// 60,000 nested variations: a recursive walk would overflow the stack.
TEST(Depth, NestingIsLimitedOnlyByRecordLength) {
  constexpr std::size_t kDepth = 60000;
  std::string open;
  for (std::size_t i = 0; i < kDepth; ++i) open += "\xCF\x0D"s;  // e4 instead of e4 ...
  const std::string whole = of_moves(open + kE4 + std::string(kDepth, '\x0E') + '\x0F');
  const tests::RenderedGame game = render_record(whole);
  EXPECT_FALSE(game.damage.has_value());
  EXPECT_EQ(std::ranges::count(game.text, '('), static_cast<std::ptrdiff_t>(kDepth));
  EXPECT_THAT(tests::pgn_faults(game.text), IsEmpty());
  EXPECT_EQ(movetext(whole, {.variations = false}), "1. e4 *");

  const tests::RenderedGame cut = render_record(of_moves(open));
  EXPECT_TRUE(cut.damage.has_value());
  // The innermost one is empty.
  EXPECT_EQ(std::ranges::count(cut.text, ')'), static_cast<std::ptrdiff_t>(kDepth - 1));
  EXPECT_THAT(tests::pgn_faults(cut.text), IsEmpty());
}

TEST(RoundTrip, RandomGamesSurviveEncodingAndDecoding) {
  tests::Random random(12);
  for (int round = 0; round < 400; ++round) {
    const std::vector<std::string>& fens = tests::example_fens();
    const std::string fen = round % 2 == 0 ? "" : fens[random.below(fens.size())];
    const ScidEncoder encoder =
        tests::random_game(random, {.plies = random.below(120), .fen = fen});
    const tests::RenderedGame game = render_record(encoder.record());
    ASSERT_FALSE(game.damage.has_value()) << game.damage->reason;
    ASSERT_THAT(tests::pgn_faults(game.text), IsEmpty()) << game.text;
    std::vector<tests::PgnToken> ours =
        tests::parse_movetext(tests::parse_pgn(game.text)[0].movetext);
    ASSERT_FALSE(ours.empty());
    ours.pop_back();  // the result
    std::vector<tests::PgnToken> expected = encoder.tokens();
    tests::drop_empty_variations(expected);
    for (std::vector<tests::PgnToken>* tokens : {&ours, &expected}) {
      for (tests::PgnToken& token : *tokens) {
        token.number.clear();
        if (token.kind == tests::PgnToken::Kind::Comment)
          token.text = tests::fold_spaces(token.text);
      }
    }
    ASSERT_THAT(ours, ::testing::ElementsAreArray(expected)) << game.text;
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
