// The dialects of PGN, one case for each: what the reader makes of them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "codec/pgn_reader/reader.h"
#include "tests/support/pgn_dialects.h"
#include "tests/support/pgn_events.h"

namespace scidfs::codec {
namespace {

using tests::events_of;
using tests::PgnDialect;

TEST(PgnDialects, AreRead) {
  for (const PgnDialect& dialect : tests::pgn_dialects()) {
    EXPECT_EQ(events_of(dialect.pgn).text(), dialect.events) << dialect.name;
  }
}

// Each game is read as if the others were not there, and lines count from the given one.
TEST(PgnDialects, DoNotDependOnTheGamesAround) {
  constexpr std::string_view kBefore = "[Event \"first\"]\n\n1. e4 {x} (1. d4) e5 *\n\n";
  constexpr std::string_view kAfter = "\n\n[Event \"last\"]\n\n1. d4 *\n";
  for (const PgnDialect& dialect : tests::pgn_dialects()) {
    const std::string_view pgn = dialect.pgn;
    if (!pgn.starts_with('[') || pgn.find("{e") != std::string_view::npos) continue;
    tests::PgnEvents events;
    PgnReader<tests::PgnEvents> reader(events, CodePage::Windows1252);
    reader.read(kBefore, 1);
    reader.read(pgn, 1);
    reader.read(kAfter, 1);
    EXPECT_EQ(events.text(), "1: [Event \"first\"] e4 {x} ( d4 ) e5 *\n" +
                                 std::string(dialect.events) + "3: [Event \"last\"] d4 *\n")
        << dialect.name;
    const std::string together = std::string(kBefore) + dialect.pgn + std::string(kAfter);
    const std::size_t games = events.games().size();
    EXPECT_EQ(events_of(together).games().size(), games) << dialect.name;
    EXPECT_TRUE(events_of(together).text().ends_with("[Event \"last\"] d4 *\n")) << dialect.name;
  }
}

// Names of moves that a reader knows from other games mean what they mean to one that parses them.
TEST(PgnDialects, DoNotDependOnWhatWasReadBefore) {
  for (const PgnDialect& last : tests::pgn_dialects()) {
    tests::PgnEvents events;
    PgnReader<tests::PgnEvents> reader(events, CodePage::Windows1252);
    for (const PgnDialect& dialect : tests::pgn_dialects()) reader.read(dialect.pgn, 1);
    reader.read(last.pgn, 1);
    const std::string text = events.text();
    EXPECT_TRUE(text.ends_with(last.events)) << last.name << "\n" << text;
  }
}

TEST(PgnKnownNames, AreWholeWordsBeforeBlanks) {
  const MoveName name = parse_move_name("Nf3").value(), pawn = parse_move_name("e8").value();
  pgn_reader::KnownNames names;
  EXPECT_EQ(names.find("Nf3 Nf6 ").name, nullptr);
  for (const std::string_view no_word : {"Nf3", "Nf3 e5", "Nf3! e5 ", "Nf3+ e5 ", "Nf3)e5 Nc6"}) {
    names.add(no_word, 3, name);
    EXPECT_EQ(names.find("Nf3 Nf6 ").name, nullptr) << no_word;
    EXPECT_EQ(names.find(no_word).name, nullptr) << no_word;
  }
  names.add("Nf3\nNf6 ", 3, name);
  names.add("Nf3+ Nf6 ", 4, name);
  names.add("e8 Nf6 *", 2, pawn);
  for (const std::string_view word :
       {"Nf3 Nf6 ", "Nf3\t\x80\xFF\xFF\xFF", "Nf3\n\n\n\n\n", "Nf3+ Nf6"}) {
    const pgn_reader::KnownNames::Known known = names.find(word);
    ASSERT_NE(known.name, nullptr) << word;
    EXPECT_EQ(known.name->to, name.to);
    EXPECT_EQ(known.length, word.find_first_of(" \t\n"));
  }
  for (const std::string_view other :
       {"Nf3", "Nf3# Nf6", "Nf3! Nf6", "Nf6 Nf3 ", "e8(Q) Nf6", "", "        ", "Nf3e4e5e6 "}) {
    EXPECT_EQ(names.find(other).name, nullptr) << other;
  }
}

// A name of a variant can be any word: moves are read as far as they are legal in chess.
TEST(PgnVariants, NamesDecideNoMoreThanTheyKnow) {
  constexpr std::string_view kKnown[] = {"",
                                         "?",
                                         "Chess",
                                         "Standard ",
                                         "Normal",
                                         "From Position",
                                         "Classical",
                                         "Blitz",
                                         "Regular",
                                         "Three-check",
                                         "King of the Hill",
                                         "kingOfTheHill",
                                         "fromPosition",
                                         "3-Check",
                                         "wild/0",
                                         "wild/8a",
                                         "Racing Kings"};
  constexpr std::string_view kChess960[] = {
      "FRC", "wild/fr", "Chess960", "chess 960", "Fischerandom", "Chess 9LX", "Freestyle Chess"};
  constexpr std::string_view kOthers[] = {"Atomic", "Crazyhouse", "Horde", "Najdorf", "Losers"};
  const auto events = [](std::string_view name, std::string_view moves) {
    return events_of("[Variant \"" + std::string(name) + "\"]\n\n" + std::string(moves)).text();
  };
  for (const std::string_view name : kKnown) {
    EXPECT_TRUE(events(name, "1. e4 e5 2. Nf3 1-0").ends_with("\"] e4 e5 Nf3 1-0\n")) << name;
  }
  for (const std::string_view name : kChess960) {
    EXPECT_TRUE(events(name, "1. e4 1-0").ends_with("\"] start  960 e4 1-0\n")) << name;
  }
  for (const std::string_view name : kOthers) {
    const std::string said =
        "<1: the variant " + std::string(name) + " is read by the rules of chess>";
    EXPECT_TRUE(events(name, "1. e4 e5 1-0").ends_with("\"] " + said + " e4 e5 1-0\n")) << name;
  }
}

TEST(PgnVariants, EndWhereTheirMovesAreNoneOfChess) {
  constexpr std::string_view kBoard = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
  const std::string start = std::string(kBoard) + " w KQkq - 0 2";
  for (const std::string_view hand : {"[]", "[Pp]", "/", "/Pp"}) {
    const std::string text =
        events_of("[Variant \"Crazyhouse\"]\n[FEN \"" + std::string(kBoard) + std::string(hand) +
                  " w KQkq - 0 2\"]\n\n2. Nf3 Nc6 3. P@e3 d6 1-0")
            .text();
    EXPECT_TRUE(text.ends_with("start " + start +
                               " <2: the variant Crazyhouse is read by the rules of chess> Nf3 Nc6 "
                               "<4: illegal move 3.P@e3: the rest of the game is left out> 1-0\n"))
        << text;
  }
  const std::string blitz =
      events_of(
          "[Variant \"Blitz\"]\n[FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w GBgb - 0 1\"]\n\n"
          "1. O-O O-O-O *")
          .text();
  EXPECT_TRUE(blitz.ends_with(" 960 O-O O-O-O *\n")) << blitz;
}

TEST(PgnText, IsDecodedByTheCodePage) {
  constexpr std::string_view kPgn =
      "[White \"\xCA\xE0\xF0\xEF\xEE\xE2\"]\n\n1. e4 {\xEC\xE0\xF2} *";
  EXPECT_EQ(events_of(kPgn, CodePage::Windows1251).text(), "1: [White \"Карпов\"] e4 {мат} *\n");
  EXPECT_EQ(events_of(kPgn, CodePage::Windows1252).text(), "1: [White \"Êàðïîâ\"] e4 {ìàò} *\n");
}

// Seconds if the rest of the line is looked at for each tag once more.
TEST(PgnTags, TakeTimeInProportion) {
  for (const std::string_view tag : {"[a \"\xC3\xA4\"]", "[a \"\\\\\"]", "[a x]"}) {
    std::string pgn = "[Event \"e\"]\n";
    while (pgn.size() < (std::size_t{6} << 20)) pgn += tag;
    EXPECT_TRUE(events_of(pgn + "\n\n1. e4 *\n").text().ends_with("] e4 *\n")) << tag;
  }
}

TEST(PgnVariations, AreNestedToABound) {
  // Each variation replaces the move before it.
  std::string pgn = "1. e4 ";
  for (int depth = 0; depth < 100'000; ++depth) pgn += depth % 2 == 0 ? "(1. d4 " : "(1. e4 ";
  const std::string open = events_of(pgn).text();
  EXPECT_NE(open.find("<1: variations are nested too deep>"), std::string::npos);
  EXPECT_EQ(std::count(open.begin(), open.end(), '('), 1000);
  EXPECT_EQ(std::count(open.begin(), open.end(), ')'), 1000);
  pgn += std::string(100'000, ')') + " e5 *";
  const std::string closed = events_of(pgn).text();
  EXPECT_TRUE(closed.ends_with(" ) ) e5 *\n"));
}

}  // namespace
}  // namespace scidfs::codec
