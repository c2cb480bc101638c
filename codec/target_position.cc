#include "codec/target_position.h"

#include <absl/status/status.h>

#include <algorithm>
#include <array>

#include "codec/movegen.h"
#include "codec/san.h"

namespace scidfs::codec {
namespace {

Square takeable_en_passant(const Position& position) {
  return codec::takeable_en_passant(position, position.en_passant());
}

std::string epd_fields(const Position& position) {
  std::array<char, Position::kMaxEpdFields> fields;
  return {fields.data(), position.write_epd_fields(fields.data())};
}

// Returns the board and the side to move.
std::string two_fields(const Position& position) {
  const std::string fields = epd_fields(position);
  return fields.substr(0, fields.find(' ', fields.find(' ') + 1));
}

// Returns the position with all rights that its board allows, except en passant.
Position with_all_rights(const Position& position) {
  // The output of a position is a valid FEN.
  return Position::from_fen(two_fields(position)).value_or(position);
}

}  // namespace

Square takeable_en_passant(const Position& position, Square passed) {
  if (passed == kNoSquare) return kNoSquare;
  const Color us = position.side_to_move();
  Bitboard pawns = pawn_attacks(~us, passed) & position.pieces(us, PieceType::Pawn);
  for (; pawns != 0; pawns &= pawns - 1) {
    const Move move{.from = first_square(pawns),
                    .to = passed,
                    .piece = PieceType::Pawn,
                    .captured = PieceType::Pawn,
                    .kind = MoveKind::EnPassant};
    if (position.piece_at(en_passant_victim(passed, us)) == Piece{PieceType::Pawn, ~us} &&
        is_legal(position, move)) {
      return passed;
    }
  }
  return kNoSquare;
}

bool TargetPosition::is_met_by(const Position& other) const {
  if (!other.has_same_board(position)) [[likely]]
    return false;
  return !with_rights || (other.has_same_castling(position) &&
                          takeable_en_passant(other) == takeable_en_passant(position));
}

std::optional<Move> TargetPosition::parse_move(std::string_view text) const {
  std::optional<Move> move = parse_san(position, text);
  const bool is_pawns = !text.empty() && text[0] >= 'a' && text[0] <= 'h';
  if (move.has_value() || with_rights || !is_pawns) return move;
  // Tries each file as if the pawn to be taken had just moved.
  const bool is_white = position.side_to_move() == Color::White;
  for (char file = 'a'; file <= 'h'; ++file) {
    const std::string fen = two_fields(position) + " - " + std::string{file, is_white ? '6' : '3'};
    const absl::StatusOr<Position> other = Position::from_fen(fen);
    if (!other.ok()) continue;
    move = parse_san(*other, text);
    if (move.has_value() && move->kind == MoveKind::EnPassant) return move;
  }
  return std::nullopt;
}

TargetPosition TargetPosition::after(const Move& move) const {
  TargetPosition target = *this;
  target.position.make(move);
  if (!with_rights) target.position = with_all_rights(target.position);
  return target;
}

std::string fen_of_name(std::string_view name) {
  std::string fen(name);
  const std::size_t board = std::min(fen.find('_'), fen.size());
  std::replace(fen.begin(), fen.begin() + static_cast<std::ptrdiff_t>(board), '-', '/');
  std::ranges::replace(fen, '_', ' ');
  return fen;
}

absl::StatusOr<TargetPosition> parse_position_name(std::string_view name) {
  const std::string fen = fen_of_name(name);
  const auto fields = static_cast<std::size_t>(std::ranges::count(fen, ' ')) + 1;
  constexpr std::size_t kBoardAndSide = 2;
  constexpr std::size_t kMostFields = 6;
  const bool is_one_blank_each = !name.starts_with('_') && !name.ends_with('_') &&
                                 name.find("__") == std::string_view::npos &&
                                 name.find_first_of(" \t\r\n") == std::string_view::npos;
  if (!is_one_blank_each || (fields != kBoardAndSide && (fields < 4 || fields > kMostFields))) {
    return absl::InvalidArgumentError("a FEN has two fields here, or four to six");
  }
  absl::StatusOr<Position> position = Position::from_fen(fen, CastlingRule::Chess960);
  if (!position.ok()) return position.status();
  return TargetPosition{.position = *std::move(position), .with_rights = fields != kBoardAndSide};
}

std::string position_name(const TargetPosition& target) {
  std::string name = two_fields(target.position);
  if (target.with_rights) {
    name = epd_fields(target.position);
    if (takeable_en_passant(target.position) == kNoSquare) {
      name.replace(name.rfind(' ') + 1, std::string::npos, "-");
    }
  }
  std::ranges::replace(name, '/', '-');
  std::ranges::replace(name, ' ', '_');
  return name;
}

}  // namespace scidfs::codec
