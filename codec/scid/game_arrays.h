// The moves and positions of a game's main line as numbers of fixed size, for programs that map
// arrays.
// Source: FORMAT.md, sections 5 and 6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"
#include "codec/text_buffer.h"

namespace scidfs::codec::scid {

// A move in 16 bits: from (bits 5..0), to (11..6), promotion (14..12): 0, or 2 to 5 for knight,
// bishop, rook, queen. Squares are 0 for a1, 1 for b1, ... 63 for h8. Castling is as in UCI
// (codec/uci.h): the king moves to its final square, in Chess960 to its rook. A null move is
// kNullMove.
using PackedMove = std::uint16_t;
inline constexpr PackedMove kNullMove = 0x8000;
PackedMove pack_move(const Move& move, const std::optional<CastlingHomes>& homes);

// A board: of each square, a1, b1, ... h8, 1 to 6 for White's pawn, knight, bishop, rook, queen,
// king; negative for Black's; 0: empty.
using ByteBoard = std::array<std::int8_t, 64>;
// The rest of a position: the side to move (0 White, 1 Black), castling rights (1 White's short, 2
// long, 4 Black's short, 8 long), the square behind a pawn that has just moved two squares (64:
// none), and the plies since the last capture or move of a pawn (at most 255).
using ByteState = std::array<std::uint8_t, 4>;
ByteBoard board_bytes(const Position& position);
ByteState state_bytes(const Position& position);

// A converter of records. Holds working memory between games: one per thread.
//
// The numbers are a pure function of the record. For a damaged record they end before the damage. A
// record that does not say where the game begins has no moves, and one position: an empty board
// with White to move.
class GameArrays {
 public:
  // `rule` is that of the records' format.
  explicit GameArrays(CastlingRule rule) : reader_(rule) {}

  // Returns how many moves there are. `is_whole`: the record is known to have no damage, which
  // makes this faster.
  std::uint32_t count_plies(Bytes record, bool is_whole);
  // Append the moves; and the boards and states of the positions before, between and after them.
  void append_moves(Bytes record, bool is_whole, TextBuffer& out);
  void append_boards(Bytes record, TextBuffer& out);
  void append_states(Bytes record, TextBuffer& out);
  // Calls visit(ply, position) for each position; for none if the record does not say where the
  // game begins.
  template <class Visit>
  void for_each_position(Bytes record, Visit visit) {
    if (!reader_.open(record)) return;
    PositionLook<Visit> look{.visit = std::move(visit)};
    reader_.walk(look);
  }

 private:
  // A visitor of walks.
  template <class Visit>
  struct PositionLook {
    void start(const Position& position) { visit(0U, position); }
    void move(const Position& after, const Move&) { visit(++ply, after); }

    Visit visit;
    std::uint32_t ply = 0;
  };

  template <class Cell>
  void append_positions(Bytes record, Cell (*cell_of)(const Position&), TextBuffer& out);

  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
