// Where games begin, in texts that come in pieces and in texts without an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/pgn_reader/scanner.h"
#include "codec/pgn_reader/tag.h"
#include "codec/text_buffer.h"
#include "tests/support/pgn_events.h"
#include "tests/support/random_game.h"

namespace scidfs::codec::pgn_reader {
namespace {

using tests::Random;

struct Piece {
  std::string text;
  std::size_t moves;
  bool has_early_comment, has_late_tag;

  friend bool operator==(const Piece&, const Piece&) = default;
};

Piece piece_of(const FoundGame& game) {
  return {.text = std::string(game.text),
          .moves = game.moves,
          .has_early_comment = game.has_early_comment,
          .has_late_tag = game.has_late_tag};
}

std::vector<Piece> games_of(std::string_view text) {
  std::vector<Piece> games;
  GameScanner scanner;
  while (const std::optional<FoundGame> game = scanner.next(text, true)) {
    games.push_back(piece_of(*game));
    text.remove_prefix(game->text.size());
  }
  EXPECT_TRUE(text.empty());
  return games;
}

// Scans a text of which more and more is there, each time at another place in memory.
std::vector<Piece> games_of_growing(std::string_view text, Random& random) {
  std::vector<Piece> games;
  GameScanner scanner;
  std::size_t length = 0;
  while (!text.empty()) {
    const std::string part(text.substr(0, length));
    if (const std::optional<FoundGame> game = scanner.next(part, length == text.size())) {
      games.push_back(piece_of(*game));
      text.remove_prefix(game->text.size());
      length -= game->text.size();
    } else {
      length = std::min(text.size(), length + 1 + random.below(9));
    }
  }
  return games;
}

// A text of pieces that mean something to the scanner.
std::string random_text(Random& random) {
  constexpr std::string_view kPieces[] = {"[Event \"a\"]",
                                          "[Site \"b]\"]",
                                          "[Event",
                                          "[%x",
                                          "\n",
                                          "\n\n",
                                          "\r\n",
                                          " ",
                                          "1. e4 e5 ",
                                          "1-0",
                                          "*",
                                          "{",
                                          "}",
                                          "{c}",
                                          ";",
                                          "%",
                                          "(",
                                          ")",
                                          "\"",
                                          "[Round \"{\"]",
                                          "0-1\n",
                                          "[",
                                          "]",
                                          "x",
                                          "e",
                                          "[\nSite\n\"b\"\n]",
                                          "Event",
                                          "\xC2\xA0",
                                          "\xE2\x80\xA6",
                                          "\xEF\xBB\xBF"};
  std::string text;
  for (std::size_t count = random.below(120); count != 0; --count) {
    text += kPieces[random.below(std::size(kPieces))];
  }
  return text;
}

// Files with a byte order mark that were put one after the other.
TEST(GameScanner, MarksMayComeBeforeGames) {
  const std::string file = "\xEF\xBB\xBF[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n";
  const std::vector<Piece> games = games_of(file + file + file);
  ASSERT_EQ(games.size(), 3U);
  for (const Piece& game : games) EXPECT_EQ(game.text, file);
}

TEST(GameScanner, FindsTheSameInTextsThatGrow) {
  Random random(1);
  std::size_t several = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(random);
    const std::vector<Piece> games = games_of(text);
    EXPECT_EQ(games_of_growing(text, random), games) << text;
    several += games.size() > 2 ? 1 : 0;
    std::string all;
    for (const Piece& game : games) {
      all += game.text;
      // A game is found again when it is alone.
      EXPECT_EQ(games_of(game.text), std::vector<Piece>{game}) << text;
    }
    EXPECT_EQ(all, text);
  }
  EXPECT_GT(several, 300U);
}

TEST(GameScanner, FindsAllWholeGames) {
  const std::string text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c";
  GameScanner scanner;
  std::vector<FoundGame> games;
  const std::size_t second = text.find("[Event \"b"), third = text.rfind('[');
  EXPECT_EQ(scanner.find_all(text.substr(0, 5), false, games), 0U);
  // Only the end of the line tells that the third game is one.
  EXPECT_EQ(scanner.find_all(text, false, games), second);
  const std::string more = text.substr(second) + "\"]\n";
  EXPECT_EQ(scanner.find_all(more, false, games), third - second);
  const std::string last = more.substr(more.rfind('['));
  EXPECT_EQ(scanner.find_all(last, true, games), last.size());
  ASSERT_EQ(games.size(), 3U);
  EXPECT_EQ(games[0].text, text.substr(0, second));
  EXPECT_EQ(games[1].text, text.substr(second, third - second));
  EXPECT_EQ(games[2].text, last);
}

TEST(GameScanner, BoundsComments) {
  const std::string game = "[Event \"a\"]\n\n1. e4 {" + std::string(kMaxComment - 1, 'x');
  const std::string next = "\n[Event \"b\"]\n\n*\n";
  EXPECT_EQ(games_of(game + "}" + next).size(), 2U);
  EXPECT_EQ(games_of(game + next + "}").size(), 2U);
  const std::string shorter = game.substr(0, game.size() - next.size());
  EXPECT_EQ(games_of(shorter + next + "}").size(), 1U);
}

TEST(GameScanner, CutsTextsWithoutTagsAtEmptyLines) {
  const std::string game = "1. e4 {a\n\nb} e5 2. Nf3 Nc6 1-0\n\n";
  std::string text;
  while (text.size() <= kMaxGame) text += game;
  const std::vector<Piece> games = games_of(text);
  ASSERT_EQ(games.size(), 2U);
  EXPECT_LE(games[0].text.size(), kMaxGame);
  EXPECT_EQ(games[0].text.size() % game.size(), 0U);
  EXPECT_EQ(games_of(std::string(2 * kMaxGame + 5, 'x')).size(), 3U);
  EXPECT_EQ(games_of("[Event \"" + std::string(kMaxGame, 'x')).size(), 2U);
  // The moves of a long game stay with its tags.
  std::string long_game = "[Event \"a\"]\n\n";
  const std::size_t tags = long_game.size();
  while (long_game.size() <= kMaxGame) long_game += "Nf3 Nf6 Ng1 Ng8\n";
  EXPECT_EQ(games_of(long_game).at(0).text.size(), kMaxGame);
  const std::size_t gap = long_game.rfind('\n', kMaxGame - 100) + 1;
  EXPECT_GT(gap, tags);
  EXPECT_EQ(games_of(long_game.insert(gap, "\n")).at(0).text.size(), gap + 1);
}

// Unclosed comments and empty lines, as many as there are bytes: takes a second if each is looked
// at once, hours otherwise.
TEST(GameScanner, TakesTimeInProportion) {
  for (const std::string_view piece :
       {"[Event \"a\"]\n\n{\n\n", "{ ", "[\n", "\n ", "[Event \"\n\n", "[Site \"\n{", "%;", "[ ",
        "[a \"\xC3\xA4\"]", "[a \"\\\\\"]", "[a \"\"\"]", "[a x]", "[a x", "[a \"x\n",
        "[a\n\"x\"\n", "[a \"x\"\n\n", "[a\xC2\xA0"}) {
    std::string text;
    while (text.size() < (std::size_t{3} << 20)) text += piece;
    std::size_t length = 0;
    for (const Piece& game : games_of(text)) length += game.text.size();
    EXPECT_EQ(length, text.size());
  }
}

// Returns the processor time in which a text is scanned of which `step` bytes more are there each
// time.
std::clock_t time_to_scan(std::string_view text, std::size_t step) {
  const std::clock_t begin = std::clock();
  GameScanner scanner;
  std::size_t length = 0;
  while (!scanner.next(text.substr(0, length), length >= text.size()).has_value()) length += step;
  return std::clock() - begin;
}

// A single tag or comment of a file that is read bit by bit. Each is looked at a few times, or a
// thousand times.
TEST(GameScanner, TakesTimeInProportionInTextsThatGrow) {
  constexpr std::size_t kSize = std::size_t{2} << 20, kStep = kSize / 1024;
  for (const auto& [begin, piece] :
       std::initializer_list<std::array<std::string_view, 2>>{{"[a \"", "\""},
                                                              {"[a \"", "\\\""},
                                                              {"[a \"", "\" "},
                                                              {"[", "a"},
                                                              {"[a ", "x"},
                                                              {"[a \"", "\\"},
                                                              {"[", " "},
                                                              {"[a \"x\"", "\n"},
                                                              {"[a", "\n"},
                                                              {"1. e4 {", "a "},
                                                              {"1. e4 ;", "a "},
                                                              {"%", "\""}}) {
    std::string text(begin);
    while (text.size() < kSize) text += piece;
    const std::clock_t whole = time_to_scan(text, kSize);
    EXPECT_LT(time_to_scan(text, kStep), 100 * whole + CLOCKS_PER_SEC / 2) << begin << piece;
  }
}

// What is far from the end of a text is read in blocks.
TEST(PgnTag, DoesNotDependOnWhatFollowsItsLine) {
  constexpr std::array<std::string_view, 18> kParts = {"A",
                                                       "Event",
                                                       "ANameOf15Bytes",
                                                       "ANameOf16Bytes_",
                                                       "\xC3\xA4",
                                                       "\x7F",
                                                       " ",
                                                       "  ",
                                                       "\t",
                                                       "\"",
                                                       "\"]",
                                                       "]",
                                                       "[",
                                                       "\\",
                                                       "a value that is longer than a block",
                                                       "x",
                                                       "\r",
                                                       "\x01"};
  const std::string rest = "\n[B \"c\"]\n" + std::string(100, ' ');
  Random random(20);
  for (int i = 0; i < 200'000; ++i) {
    std::string line = i % 2 == 0 ? "[" : "[Name \"";
    for (std::size_t parts = random.below(6); parts != 0; --parts) {
      line += kParts[random.below(kParts.size())];
    }
    if (i % 3 == 0) line += "\"]";
    const RawTag alone = parse_tag(line);
    const std::string text = line + rest;
    const RawTag before = parse_tag(text);
    ASSERT_EQ(before.name, alone.name) << line;
    ASSERT_EQ(before.value, alone.value) << line;
    ASSERT_EQ(before.length, alone.length) << line;
    const bool has_special =
        std::ranges::any_of(std::string(before.name) + std::string(before.value),
                            [](char c) { return c < ' ' || c == 0x7F; });
    ASSERT_FALSE(before.is_clean && has_special) << line;
  }
}

TEST(GameScanner, CountsLines) {
  Random random(2);
  for (std::size_t size = 0; size < 5000; size += 1 + size / 7) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += random.one_in(3) ? '\n' : '\xFF';
    EXPECT_EQ(count_lines(text), static_cast<std::uint64_t>(std::ranges::count(text, '\n')));
  }
  EXPECT_EQ(count_lines(std::string(5000, '\n')), 5000U);
}

}  // namespace
}  // namespace scidfs::codec::pgn_reader
