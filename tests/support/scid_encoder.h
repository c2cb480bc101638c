// Writes game records of the Scid 4 format (codec/scid/FORMAT.md, sections 4 to 6 and 14). It
// shares the rules of chess with the decoder, but neither its move tables nor its piece lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "tests/support/pgn_parse.h"

namespace scidfs::tests {

// The squares of the pieces of both sides by number, in the plain way of section 5.3.
class NumberedSquares {
 public:
  static NumberedSquares standard();
  // Numbered for a FEN (section 5.2).
  static NumberedSquares from_board(const codec::Position& position);

  const std::vector<codec::Square>& of(codec::Color color) const {
    return squares_[static_cast<std::size_t>(color)];
  }
  std::size_t number_on(codec::Color color, codec::Square square) const;
  void play(codec::Color us, const codec::Move& move);

 private:
  std::vector<codec::Square>& mine(codec::Color color) {
    return squares_[static_cast<std::size_t>(color)];
  }
  std::vector<codec::Square> squares_[2];
  codec::CastlingHomes homes_;
};

// The byte or bytes of a move.
std::string encode_move(const codec::Move& move, codec::Color us, std::size_t number);

// Builds one record, in the order of the game. Also collects the tokens that the movetext of the
// game must have (except for numbers and the result).
class ScidEncoder {
 public:
  ScidEncoder();
  // A game with a FEN, with castling letters by `rule`.
  explicit ScidEncoder(std::string_view fen,
                       codec::CastlingRule rule = codec::CastlingRule::Standard);

  // Tags must come first.
  ScidEncoder& tag(std::string_view name, std::string_view value);
  ScidEncoder& move(const codec::Move& move);
  // The legal move of this name.
  ScidEncoder& move(std::string_view san);
  // Several, with blanks in between.
  ScidEncoder& moves(std::string_view sans);
  ScidEncoder& nag(std::uint8_t value);
  ScidEncoder& comment(std::string_view text);
  // Replaces the last move.
  ScidEncoder& begin_variation();
  ScidEncoder& end_variation();

  const codec::Position& position() const { return line_.position; }
  std::size_t depth() const { return parents_.size(); }
  bool has_move() const { return line_.has_move; }
  const std::vector<PgnToken>& tokens() const { return tokens_; }

  // The whole record. REQUIRES: no variation is open.
  std::string record() const;

 private:
  struct Line {
    codec::Position position, before;  // before the last move
    NumberedSquares squares, squares_before;
    std::size_t last_token = 0;  // of the last move
    bool has_move = false;
  };

  std::string tags_, start_, moves_, comments_;
  Line line_;
  std::vector<Line> parents_;
  std::vector<PgnToken> tokens_;
};

}  // namespace scidfs::tests
