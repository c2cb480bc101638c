#include "tests/mounted/asked_positions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

constexpr std::size_t kSquares = 64;
using Board = std::array<char, kSquares>;  // in the order of a FEN; a blank for an empty square

Board board_of(std::string_view fen) {
  Board board;
  board.fill(' ');
  std::size_t square = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') continue;
    if (c >= '1' && c <= '8') {
      square += static_cast<std::size_t>(c - '0');
    } else {
      board.at(square++) = c;
    }
  }
  return board;
}

std::string text_of(const Board& board) {
  constexpr std::size_t kWidth = 8;
  std::string text;
  std::size_t blanks = 0;
  const auto end_blanks = [&] {
    if (blanks != 0) text += std::to_string(blanks);
    blanks = 0;
  };
  for (std::size_t square = 0; square < kSquares; ++square) {
    if (square != 0 && square % kWidth == 0) {
      end_blanks();
      text += '/';
    }
    if (board[square] == ' ') {
      ++blanks;
    } else {
      end_blanks();
      text += board[square];
    }
  }
  end_blanks();
  return text;
}

// The position with a king on another square, or with one more pawn if there is room for one.
std::string changed(std::string_view fields, Random& random) {
  constexpr std::size_t kFirst = 8;  // of the squares where pawns may be
  constexpr std::size_t kPawnSquares = 48;
  constexpr std::size_t kMostMen = 16;
  Board board = board_of(fields);
  const bool is_white = random.one_in(2);
  const auto is_man = [&](char c) { return is_white ? c >= 'A' && c <= 'Z' : c >= 'a'; };
  const auto any_blank = [&] {
    std::size_t square = 0;
    do {
      square = kFirst + random.below(kPawnSquares);
    } while (board.at(square) != ' ');
    return square;
  };
  const std::size_t to = any_blank();
  const auto men = static_cast<std::size_t>(std::ranges::count_if(board, is_man));
  if (random.one_in(2) && men < kMostMen) {
    board.at(to) = is_white ? 'P' : 'p';
  } else {
    std::swap(board.at(to), *std::ranges::find(board, is_white ? 'K' : 'k'));
  }
  return text_of(board) + std::string(fields.substr(fields.find(' '), 2));
}

std::size_t place_in(std::size_t lines, Random& random) {
  constexpr std::size_t kSeldom = 8;
  if (random.one_in(kSeldom)) return 0;
  if (random.one_in(kSeldom)) return lines - 1;
  return random.below(lines);
}

}  // namespace

std::vector<std::string> positions_at_random(const PlayedSet& set, std::size_t count,
                                             Random& random) {
  std::vector<std::string> positions;
  const std::vector<IndexLine>& games = set.index->lines();
  for (std::size_t tries = 0; positions.size() < count && tries < 20 * count && !games.empty();
       ++tries) {
    const std::string text = read_all(set.epd(games[random.below(games.size())]));
    const std::vector<EpdLine> lines = epd_lines(text);
    if (lines.empty()) continue;
    const EpdLine& line = lines[place_in(lines.size(), random)];
    if (random.one_in(6)) {
      positions.push_back(changed(line.fields, random));
    } else if (random.one_in(2)) {
      positions.emplace_back(line.board);
    } else {
      positions.emplace_back(line.fields);
      if (random.one_in(2)) positions.back() += " 3";
      if (positions.back().ends_with('3') && random.one_in(2)) positions.back() += " 20";
    }
  }
  return positions;
}

}  // namespace scidfs::tests
