#include "codec/scid/lines.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace scidfs::codec::scid {
namespace {

Square parse_square(std::string_view text) { return make_square(text[0] - 'a', text[1] - '1'); }

std::vector<Move> parse_moves(std::string_view squares) {
  std::vector<Move> moves;
  for (; squares.size() >= 4; squares.remove_prefix(4)) {
    moves.push_back({.from = parse_square(squares), .to = parse_square(squares.substr(2))});
  }
  return moves;
}

// Returns the words of "1.d4 d5 2.c4" without the numbers.
std::vector<std::string> san_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == ' ') {
      words.emplace_back();
    } else if (c == '.') {
      words.back().clear();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// Finds the longest line that begins these moves, in the slow way.
unsigned search_line(std::string_view squares) {
  unsigned best = 0;
  for (unsigned code = 1; code <= kStoredLines; ++code) {
    const std::string_view line = stored_line_squares(code);
    if (squares.starts_with(line) && line.size() > stored_line_squares(best).size()) best = code;
  }
  return best;
}

TEST(StoredLines, UnusedCodesHaveNoLine) {
  for (const unsigned code : {0u, 255u, 256u, ~0u}) {
    EXPECT_EQ(stored_line(code), "");
    EXPECT_EQ(stored_line_squares(code), "");
  }
  EXPECT_EQ(stored_line(1), "1.b3");
  EXPECT_EQ(stored_line(176), "1.e4 d5 2.exd5 Qxd5 3.Nc3 Qa5");
  EXPECT_EQ(stored_line(254), "1.Nf3 Nf6 2.g3 g6");
}

// Plays the squares on a plain board and compares piece, capture and target with the SAN, without
// knowledge of how pieces move.
TEST(StoredLines, SanAndSquaresAgree) {
  for (unsigned code = 1; code <= kStoredLines; ++code) {
    SCOPED_TRACE(std::string(stored_line(code)));
    std::string board = "RNBQKBNRPPPPPPPP" + std::string(32, ' ') + "pppppppprnbqkbnr";
    const std::vector<std::string> words = san_words(stored_line(code));
    const std::vector<Move> moves = parse_moves(stored_line_squares(code));
    ASSERT_EQ(words.size() * 4, stored_line_squares(code).size());
    ASSERT_EQ(words.size(), moves.size());
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
      SCOPED_TRACE(words[ply]);
      const Square from = moves[ply].from;
      const Square to = moves[ply].to;
      const char piece = board[from];
      ASSERT_NE(piece, ' ');
      ASSERT_EQ(std::isupper(piece) != 0, ply % 2 == 0);
      const char letter = static_cast<char>(std::toupper(piece));
      std::string word = words[ply];
      if (word.back() == '+') word.pop_back();
      if (word == "O-O") {
        ASSERT_EQ(letter, 'K');
        ASSERT_EQ(from, ply % 2 == 0 ? 4 : 60);
        ASSERT_EQ(to, from + 2);
        std::swap(board[from + 1u], board[from + 3u]);
        ASSERT_EQ(std::toupper(board[from + 1u]), 'R');
      } else {
        ASSERT_EQ(letter, std::isupper(word[0]) != 0 ? word[0] : 'P');
        ASSERT_EQ(parse_square(word.substr(word.size() - 2)), to);
        ASSERT_EQ(board[to] != ' ', word.find('x') != std::string::npos);
        const bool pawn_takes = letter == 'P' && board[to] != ' ';
        if (pawn_takes) {
          ASSERT_EQ(word[0], 'a' + file_of(from));
        }
        if (letter == 'P' && !pawn_takes) {
          ASSERT_EQ(file_of(from), file_of(to));
        }
      }
      board[to] = piece;
      board[from] = ' ';
    }
  }
}

TEST(StoredLines, FindsEveryLine) {
  for (unsigned code = 1; code <= kStoredLines; ++code) {
    EXPECT_EQ(find_stored_line(parse_moves(stored_line_squares(code))), code);
  }
}

TEST(StoredLines, FindsLongestLineThatBeginsTheGame) {
  for (unsigned code = 1; code <= kStoredLines; ++code) {
    const std::string_view line = stored_line_squares(code);
    for (std::size_t size = 0; size <= line.size(); size += 4) {
      for (const std::string_view next : {"", "a1a1", "a7a6", "c2c4", "g8f6", "h8h8"}) {
        for (const std::string_view last : {"", "h8h8"}) {
          const std::string game = std::string(line.substr(0, size)).append(next).append(last);
          ASSERT_EQ(find_stored_line(parse_moves(game)), search_line(game)) << game;
        }
      }
    }
  }
}

TEST(StoredLines, FindsLinesOfLongAndOddGames) {
  EXPECT_EQ(find_stored_line({}), 0u);
  std::vector<Move> moves = parse_moves(stored_line_squares(199));
  moves.resize(1000, Move{.from = 63, .to = 0});
  EXPECT_EQ(find_stored_line(moves), 199u);
  const std::array<Move, 2> nulls = {Move{.from = kNoSquare, .to = kNoSquare}, Move{}};
  EXPECT_EQ(find_stored_line(nulls), 0u);
}

}  // namespace
}  // namespace scidfs::codec::scid
