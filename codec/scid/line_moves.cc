#include "codec/scid/line_moves.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "codec/scid/lines.h"
#include "codec/scid/moves.h"

namespace scidfs::codec::scid {
namespace {

struct LineMoves {
  std::vector<Move> moves;
  std::vector<std::uint8_t> bytes;
};

Square parse_square(std::string_view text) { return make_square(text[0] - 'a', text[1] - '1'); }

// Plays the move between two squares and appends it and its bytes. Tries all codes, as they are
// few, to find the code of this move.
void add_move(Square from, Square to, Position& position, PieceLists& lists, LineMoves& line) {
  constexpr unsigned kCodes = 16;
  const Color us = position.side_to_move();
  const std::size_t number = lists.number_on(from);
  const auto second = static_cast<std::uint8_t>(kDiagonalBase + to);
  for (unsigned code = 0; code < kCodes; ++code) {
    const auto byte = static_cast<std::uint8_t>(number << 4U | code);
    const DecodedMove decoded = decode_move(position, lists, byte, second);
    if (!decoded.error.empty() || decoded.move.to != to) continue;
    line.moves.push_back(decoded.move);
    line.bytes.push_back(byte);
    if (decoded.two_bytes) line.bytes.push_back(second);
    position.make(decoded.move);
    if (us == Color::White) {
      lists.make<Color::White>(number, decoded.move);
    } else {
      lists.make<Color::Black>(number, decoded.move);
    }
    return;
  }
}

LineMoves moves_of(std::string_view squares) {
  constexpr std::size_t kSquare = 2;
  LineMoves line;
  Position position;
  PieceLists lists = PieceLists::standard();
  for (; !squares.empty(); squares.remove_prefix(2 * kSquare)) {
    add_move(parse_square(squares), parse_square(squares.substr(kSquare)), position, lists, line);
  }
  return line;
}

const LineMoves& line_of(unsigned code) {
  static const std::array<LineMoves, kStoredLines + 1> kLines = [] {
    std::array<LineMoves, kStoredLines + 1> lines;
    for (unsigned i = 1; i <= kStoredLines; ++i) lines[i] = moves_of(stored_line_squares(i));
    return lines;
  }();
  return kLines[code <= kStoredLines ? code : 0];
}

}  // namespace

std::span<const Move> stored_line_moves(unsigned code) { return line_of(code).moves; }

Bytes stored_line_bytes(unsigned code) { return line_of(code).bytes; }

}  // namespace scidfs::codec::scid
