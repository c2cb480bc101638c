// Random chess for property tests: positions, moves, annotated games. The same seed gives the same
// game on every machine (it uses no distribution of the standard library).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/position.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::tests {

// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  // 0 .. bound-1.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  bool one_in(std::size_t count) { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

// FENs of different kinds: start, middlegames, many queens, few pieces, castling, en passant.
const std::vector<std::string>& example_fens();

// The FEN of a board with kings and random pieces on any squares, including pawns on the last rank
// and both kings in check; at most `most` pieces of each side.
std::string random_fen(Random& random, std::size_t most = 14);

// A random legal move; a null move if there is none.
codec::Move random_move(const codec::Position& position, Random& random);

struct RandomGameOptions {
  std::size_t plies = 60;
  bool annotated = true;  // NAGs, comments, variations
  std::string fen = {};   // empty: the standard position
  bool eventful = false;  // castles, and ends with mate or stalemate, as soon as a move does so
};

// A comment of up to `words` words: plain, accented, with line ends, tabs, brackets.
std::string random_comment(Random& random, std::size_t words);

// Changes one bit of a text. REQUIRES: it is not empty.
void flip_bit(std::string& text, Random& random);

ScidEncoder random_game(Random& random, const RandomGameOptions& options = {});

}  // namespace scidfs::tests
