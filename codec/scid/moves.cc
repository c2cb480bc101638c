#include "codec/scid/moves.h"

#include <cassert>

namespace scidfs::codec::scid {
namespace {

constexpr std::array<int, 16> kKingSteps = {0, -9, -8, -7, -1, 1, 7, 8, 9};
constexpr std::array<int, 16> kKnightSteps = {0, -17, -15, -10, -6, 6, 10, 15, 17};

constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }
constexpr int file_distance(Square a, int b) { return distance(a & 7, b & 7); }
constexpr bool on_board(int square) { return square >= 0 && square < 64; }

constexpr std::uint8_t kAnyObstacle = kNoObstacle | kWhiteObstacle | kBlackObstacle;

constexpr Target free_target(int to) {
  return {.to = static_cast<Square>(to), .allowed = kAnyObstacle};
}

constexpr Target leaper_target(Square from, int step, int max_file_distance) {
  const int to = from + step;
  if (step == 0 || !on_board(to) || file_distance(from, to) > max_file_distance) return {};
  return free_target(to);
}

constexpr Target rook_target(Square from, unsigned code) {
  const Square to = code < 8 ? make_square(static_cast<int>(code), rank_of(from))
                             : make_square(file_of(from), static_cast<int>(code) - 8);
  return to == from ? Target{} : free_target(to);
}

constexpr Target bishop_target(Square from, unsigned code) {
  const int files = static_cast<int>(code & 7) - file_of(from);
  const int to = code < 8 ? from + 9 * files : from - 7 * files;
  if (files == 0 || !on_board(to) || distance(rank_of(from), to >> 3) != distance(files, 0)) {
    return {};
  }
  return free_target(to);
}

constexpr Target pawn_target(Square from, unsigned code, Color color) {
  const int forward = color == Color::White ? 1 : -1;
  const int last_rank = color == Color::White ? 7 : 0;
  const int step = code == kDoublePush ? 16 : static_cast<int>(code) + 7;
  const int to = from + forward * step;
  if ((code > 2 && code != kDoublePush) || !on_board(to) || to >> 3 == last_rank) return {};
  Target target{.to = static_cast<Square>(to), .allowed = kNoObstacle};
  if (code == kDoublePush) {
    target.double_push = rank_of(from) == (color == Color::White ? 1 : 6);
  } else if (code != 1) {
    if (file_distance(from, to) != 1) return {};
    target.allowed = obstacle_of(~color) & kAnyObstacle;
  }
  return target;
}

// Returns the meaning of a code for a piece, for any contents of the target square.
constexpr Target any_target(PieceType type, Square from, unsigned code, Color color) {
  switch (type) {
    case PieceType::King:
      return leaper_target(from, kKingSteps[code], 1);
    case PieceType::Queen:
      return code == static_cast<unsigned>(file_of(from)) ? Target{.diagonal = true}
                                                          : rook_target(from, code);
    case PieceType::Rook:
      return rook_target(from, code);
    case PieceType::Bishop:
      return bishop_target(from, code);
    case PieceType::Knight:
      return leaper_target(from, kKnightSteps[code], 2);
    case PieceType::Pawn:
      return pawn_target(from, code, color);
    default:
      return {};
  }
}

constexpr TargetTable make_targets() {
  TargetTable table{};
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t type = 0; type < kPieceTypes; ++type) {
      for (Square from = 0; from < 64; ++from) {
        for (unsigned code = 0; code < 16; ++code) {
          const auto piece = static_cast<PieceType>(type);
          Target& target = table[static_cast<std::size_t>(color)][place_of(piece, from)][code];
          target = any_target(piece, from, code, color);
          target.allowed = target.allowed & (kNoObstacle | obstacle_of(~color)) & kAnyObstacle;
        }
      }
    }
  }
  return table;
}

DecodedMove failed(std::string_view error) { return {.error = error}; }

// Checks the target square of a move that is complete except for `captured`.
DecodedMove finish(const Position& position, Move move, unsigned allowed) {
  const Piece victim = position.piece_at(move.to);
  if (victim.empty()) {
    if ((allowed & kNoObstacle) != 0) return {.move = move};
    const Color us = position.side_to_move();
    const int victim_square = en_passant_victim(move.to, us);
    if (!on_board(victim_square) ||
        position.piece_at(static_cast<Square>(victim_square)) != Piece{PieceType::Pawn, ~us}) {
      return failed("a pawn takes where there is nothing to take");
    }
    move.kind = MoveKind::EnPassant;
    move.captured = PieceType::Pawn;
    return {.move = move};
  }
  if (victim.color == position.side_to_move()) return failed("a piece takes one of its own side");
  if (victim.type == PieceType::King) return failed("a piece takes the king");
  if ((allowed & victim.obstacle) == 0) return failed("a pawn moves onto a piece");
  move.captured = victim.type;
  return {.move = move};
}

DecodedMove decode_king(const Position& position, Move move, unsigned code) {
  const Color us = position.side_to_move();
  if (code == 0) {
    return {.move = {.from = move.from, .to = move.from, .kind = MoveKind::Null}};
  }
  if (code != kLongCastling && code != kShortCastling) {
    return failed("a king's move leaves the board");
  }
  // With a right, king and rook castle from the squares for which it was given. Without one they
  // castle from their home squares all the same, as in Scid.
  const bool is_short = code == kShortCastling;
  const unsigned right = (is_short ? kWhiteShort : kWhiteLong) << (us == Color::White ? 0 : 2);
  const CastlingHomes& homes = position.castling_homes();
  if (move.from != homes.king(us)) return failed("castling away from the king's home square");
  move.to = castling_target(us, is_short);
  move.kind = MoveKind::Castling;
  const RookMove rook = homes.rook_move(us, move.to);
  if (position.piece_at(rook.from) != Piece{PieceType::Rook, us}) {
    return failed("castling without a rook");
  }
  if (!homes.is_standard(us, is_short) && (position.castling() & right) == 0) {
    return failed("castling without a right");
  }
  if ((castling_path(move.from, move.to, rook) & position.occupied()) != 0) {
    return failed("castling over another piece");
  }
  return {.move = move};
}

DecodedMove decode_diagonal(const Position& position, Move move, std::uint8_t second) {
  const int to = second - kDiagonalBase;
  if (!on_board(to)) return failed("the second byte of a queen's move is wrong");
  move.to = static_cast<Square>(to);
  if ((pseudo_attacks(PieceType::Bishop, move.from) & bit(move.to)) == 0) {
    return failed("the second byte of a queen's move is not on a diagonal");
  }
  DecodedMove decoded = finish(position, move, kAnyObstacle);
  decoded.two_bytes = true;
  return decoded;
}

DecodedMove decode_promotion(const Position& position, Move move, unsigned code) {
  const bool white = position.side_to_move() == Color::White;
  if (code == kDoublePush || code < 3) return failed("a pawn's move leaves the board");
  const int step = static_cast<int>(code % 3) + 7;
  const int to = white ? move.from + step : move.from - step;
  if (!on_board(to) || to >> 3 != (white ? 7 : 0) || file_distance(move.from, to) > 1) {
    return failed("a promotion away from the last rank");
  }
  move.to = static_cast<Square>(to);
  move.promotion = kPromotions[code / 3];
  DecodedMove decoded =
      finish(position, move, step == 8 ? kNoObstacle : obstacle_of(~position.side_to_move()));
  if (decoded.move.kind == MoveKind::EnPassant) return failed("a promotion en passant");
  return decoded;
}

}  // namespace

constinit const TargetTable kTargets = make_targets();

PieceLists PieceLists::standard() {
  constexpr std::array<int, 8> kFiles = {4, 0, 1, 2, 3, 5, 6, 7};  // Ke Ra Nb Bc Qd Bf Ng Rh
  const Position start;
  PieceLists lists;
  for (const Color color : {Color::White, Color::Black}) {
    const int back = color == Color::White ? 0 : 7;
    const int front = color == Color::White ? 1 : 6;
    for (std::size_t number = 0; number < kFiles.size(); ++number) {
      const Square square = make_square(kFiles[number], back);
      lists.place(color, number, {start.piece_at(square).type, square});
      lists.place(color, number + 8,
                  {PieceType::Pawn, make_square(static_cast<int>(number), front)});
    }
    lists.count_[static_cast<std::size_t>(color)] = kMaxPieces;
  }
  return lists;
}

PieceLists PieceLists::from_position(const Position& position) {
  for ([[maybe_unused]] const Color color : {Color::White, Color::Black}) {
    assert(std::popcount(position.pieces(color)) <= static_cast<int>(kMaxPieces));
    assert(position.pieces(color, PieceType::King) != 0);
  }
  PieceLists lists;
  lists.homes_ = position.castling_homes();
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const Square square = make_square(file, rank);
      const Piece piece = position.piece_at(square);
      if (piece.empty()) continue;
      std::uint8_t& count = lists.count_[static_cast<std::size_t>(piece.color)];
      if (piece.type == PieceType::King && count != 0) {
        lists.place(piece.color, count, lists.piece(piece.color, 0));
        lists.place(piece.color, 0, {piece.type, square});
      } else {
        lists.place(piece.color, count, {piece.type, square});
      }
      ++count;
    }
  }
  return lists;
}

void PieceLists::unmake(Color us, const Move& move, std::uint8_t captured_number) {
  if (move.kind == MoveKind::Null) return;
  if (move.kind == MoveKind::Castling) {
    const RookMove rook = homes_.rook_move(us, move.to);
    castle(us, number_[move.to], move.from, number_[rook.to], rook.from);
    return;
  }
  place(us, number_[move.to], {move.piece, move.from});
  if (move.captured == PieceType::None) return;
  const Color them = ~us;
  const std::size_t last = count_[static_cast<std::size_t>(them)]++;
  if (captured_number != last) place(them, last, piece(them, captured_number));
  place(them, captured_number, {move.captured, victim_of(move, us)});
}

bool operator==(const PieceLists& a, const PieceLists& b) {
  if (a.count_ != b.count_) return false;
  for (std::size_t color = 0; color < 2; ++color) {
    for (std::size_t number = 0; number < a.count_[color]; ++number) {
      const NumberedPiece& one = a.pieces_[color][number];
      const NumberedPiece& other = b.pieces_[color][number];
      if (one != other) return false;
    }
  }
  return true;
}

DecodedMove decode_move(const Position& position, const PieceLists& lists, std::uint8_t byte,
                        std::uint8_t second) {
  const Color us = position.side_to_move();
  const std::size_t number = byte >> 4;
  const unsigned code = byte & 15;
  if (number >= lists.count(us)) return failed("there is no piece of this number");
  const NumberedPiece piece = lists.piece(us, number);
  Move move{.from = piece.square(), .piece = piece.type()};
  const Target target = find_target(us, piece, code);
  if (target.allowed != 0) {
    move.to = target.to;
    if (target.double_push) move.kind = MoveKind::DoublePush;
    return finish(position, move, target.allowed);
  }
  switch (piece.type()) {
    case PieceType::King:
      return decode_king(position, move, code);
    case PieceType::Queen:
      if (code == static_cast<unsigned>(file_of(piece.square()))) {
        return decode_diagonal(position, move, second);
      }
      return failed("a queen stays where she is");
    case PieceType::Pawn:
      return decode_promotion(position, move, code);
    default:
      return failed("a piece's move leaves the board");
  }
}

}  // namespace scidfs::codec::scid
