#include "codec/kvetka/moves.h"

#include <array>
#include <cassert>

#include "codec/bitboard.h"

namespace scidfs::codec::kvetka {
namespace {

constexpr std::uint8_t kShortCastling = 0xC4;
constexpr std::uint8_t kLongCastling = 0xC5;
constexpr std::uint8_t kNoStep = 0xFF;
constexpr std::size_t kMostSteps = 28;

// A step on a board whose edges are joined: modulo 8.
struct Step {
  std::uint8_t right = 0;
  std::uint8_t up = 0;
};

// The codes of one kind of piece: those of piece number k begin at base + (k - 1) * stride, with a
// code for each step.
struct Kind {
  std::uint8_t base = 0;
  std::uint8_t stride = 0;
  std::uint8_t pieces = 0;
  std::array<Step, kMostSteps> steps{};
  std::size_t step_count = 0;
  // The place of a step, by right and up; the first place if there are two.
  std::array<std::array<std::uint8_t, 8>, 8> place{};

  constexpr void add(Step step) { steps[step_count++] = step; }
  constexpr void finish() {
    for (auto& column : place) column.fill(kNoStep);
    for (std::size_t i = step_count; i-- > 0;) {
      place[steps[i].right][steps[i].up] = static_cast<std::uint8_t>(i);
    }
  }
};

constexpr void add_lines(Kind& kind) {
  for (std::uint8_t i = 1; i < 8; ++i) kind.add({0, i});
  for (std::uint8_t i = 1; i < 8; ++i) kind.add({i, 0});
}

constexpr void add_diagonals(Kind& kind) {
  for (std::uint8_t i = 1; i < 8; ++i) kind.add({i, i});
  for (std::uint8_t i = 1; i < 8; ++i) kind.add({static_cast<std::uint8_t>(8 - i), i});
}

constexpr std::array<Kind, kPieceTypes> make_kinds() {
  std::array<Kind, kPieceTypes> kinds{};
  const auto kind = [&kinds](PieceType type) -> Kind& {
    return kinds[static_cast<std::size_t>(type)];
  };
  kind(PieceType::Pawn) = {.base = 0x00, .stride = 4, .pieces = 8};
  for (const Step step : {Step{0, 1}, {0, 2}, {1, 1}, {7, 1}}) kind(PieceType::Pawn).add(step);
  kind(PieceType::Knight) = {.base = 0x20, .stride = 8, .pieces = 2};
  for (const Step step : {Step{1, 2}, {7, 2}, {2, 1}, {6, 1}, {2, 7}, {6, 7}, {1, 6}, {7, 6}}) {
    kind(PieceType::Knight).add(step);
  }
  kind(PieceType::Bishop) = {.base = 0x30, .stride = 14, .pieces = 2};
  add_diagonals(kind(PieceType::Bishop));
  kind(PieceType::Rook) = {.base = 0x4C, .stride = 14, .pieces = 2};
  add_lines(kind(PieceType::Rook));
  kind(PieceType::Queen) = {.base = 0x68, .stride = 28, .pieces = 3};
  add_lines(kind(PieceType::Queen));
  add_diagonals(kind(PieceType::Queen));
  kind(PieceType::King) = {.base = 0xBC, .stride = 8, .pieces = 1};
  for (const Step step : {Step{0, 1}, {1, 1}, {7, 1}, {1, 0}, {7, 0}, {0, 7}, {1, 7}, {7, 7}}) {
    kind(PieceType::King).add(step);
  }
  for (Kind& each : kinds) each.finish();
  return kinds;
}

constexpr std::array<Kind, kPieceTypes> kKinds = make_kinds();

// The meaning of a code, independent of the board.
struct Spelling {
  PieceType piece = PieceType::None;
  std::uint8_t ordinal = 0;  // from 0
  Step step;
};

constexpr std::array<Spelling, 256> make_spellings() {
  std::array<Spelling, 256> spellings{};
  for (std::size_t type = 0; type < kPieceTypes; ++type) {
    const Kind& kind = kKinds[type];
    for (std::uint8_t ordinal = 0; ordinal < kind.pieces; ++ordinal) {
      for (std::size_t i = 0; i < kind.step_count; ++i) {
        spellings[kind.base + std::size_t{ordinal} * kind.stride + i] = {
            static_cast<PieceType>(type), ordinal, kind.steps[i]};
      }
    }
  }
  return spellings;
}

constexpr std::array<Spelling, 256> kSpellings = make_spellings();

// Returns the rank of a square in the order in which pieces are counted: a1 to a8, b1 to h8.
constexpr unsigned file_major(Square square) {
  return static_cast<unsigned>(file_of(square) * 8 + rank_of(square));
}

constexpr Square glued_target(Square from, Step step) {
  return make_square((file_of(from) + step.right) & 7, (rank_of(from) + step.up) & 7);
}

// Returns how many pieces of a set come before a square on the turned board.
unsigned count_before(Bitboard pieces, Turning turning, Square turned_square) {
  unsigned count = 0;
  for (; pieces != 0; pieces &= pieces - 1) {
    count += file_major(turning.apply(first_square(pieces))) < file_major(turned_square) ? 1 : 0;
  }
  return count;
}

}  // namespace

std::optional<std::uint8_t> encode_move(const Position& position, Turning turning,
                                        const Move& move) {
  if (move.kind == MoveKind::Null) return std::nullopt;
  assert(position.piece_at(move.from) == Piece(move.piece, position.side_to_move()));
  if (move.promotion != PieceType::None && move.promotion != PieceType::Queen) return std::nullopt;
  if (move.kind == MoveKind::Castling) {
    return file_of(move.to) == 6 ? kShortCastling : kLongCastling;
  }
  const Move turned = turning.apply(move);
  const Kind& kind = kKinds[static_cast<std::size_t>(move.piece)];
  const unsigned ordinal =
      count_before(position.pieces(position.side_to_move(), move.piece), turning, turned.from);
  if (ordinal >= kind.pieces) return std::nullopt;
  const std::uint8_t place = kind.place[(file_of(turned.to) - file_of(turned.from)) & 7]
                                       [(rank_of(turned.to) - rank_of(turned.from)) & 7];
  if (place == kNoStep) return std::nullopt;
  return static_cast<std::uint8_t>(kind.base + ordinal * kind.stride + place);
}

MoveDecoder::MoveDecoder(const Position& normalised)
    : position_(normalised), legal_(legal_moves(normalised)) {
  assert(normalised.side_to_move() == Color::White);
}

std::optional<Move> MoveDecoder::decode(std::uint8_t code) const {
  if (code == kShortCastling || code == kLongCastling) {
    const int file = code == kShortCastling ? 6 : 2;
    for (const Move& move : legal_) {
      if (move.kind == MoveKind::Castling && file_of(move.to) == file) return move;
    }
    return std::nullopt;
  }
  const Spelling spelling = kSpellings[code];
  if (spelling.piece == PieceType::None) return std::nullopt;
  const Bitboard pieces = position_.pieces(Color::White, spelling.piece);
  for (const Move& move : legal_) {
    if (move.piece == spelling.piece && move.kind != MoveKind::Castling &&
        move.to == glued_target(move.from, spelling.step) &&
        (move.promotion == PieceType::None || move.promotion == PieceType::Queen) &&
        count_before(pieces, Turning{}, move.from) == spelling.ordinal) {
      return move;
    }
  }
  return std::nullopt;
}

}  // namespace scidfs::codec::kvetka
