#include "codec/bitboard.h"

namespace scidfs::codec {
namespace {

struct Step {
  int file;
  int rank;
};

constexpr std::array<Step, 8> kRays = {
    {{0, 1}, {1, 0}, {1, 1}, {-1, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}}};
constexpr std::array<Step, 8> kKnightSteps = {
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

constexpr Bitboard step_from(Square square, Step step) {
  const int file = file_of(square) + step.file;
  const int rank = rank_of(square) + step.rank;
  return on_board(file, rank) ? bit(make_square(file, rank)) : 0;
}

constexpr AttackTables make_tables() {
  AttackTables tables{};
  auto& pseudo = tables.pseudo;
  for (Square square = 0; square < 64; ++square) {
    for (const Step step : kKnightSteps)
      pseudo[static_cast<std::size_t>(PieceType::Knight)][square] |= step_from(square, step);
    for (const Step step : kRays)
      pseudo[static_cast<std::size_t>(PieceType::King)][square] |= step_from(square, step);
    for (const int side : {-1, 1}) {
      tables.pawn[0][square] |= step_from(square, {side, 1});
      tables.pawn[1][square] |= step_from(square, {side, -1});
    }
    for (std::size_t ray = 0; ray < kRays.size(); ++ray) {
      Bitboard passed = 0;
      int file = file_of(square) + kRays[ray].file;
      int rank = rank_of(square) + kRays[ray].rank;
      for (; on_board(file, rank); file += kRays[ray].file, rank += kRays[ray].rank) {
        passed |= bit(make_square(file, rank));
      }
      tables.ray[ray][square] = passed;
      const bool straight = kRays[ray].file == 0 || kRays[ray].rank == 0;
      pseudo[static_cast<std::size_t>(straight ? PieceType::Rook : PieceType::Bishop)][square] |=
          passed;
      pseudo[static_cast<std::size_t>(PieceType::Queen)][square] |= passed;
    }
  }
  for (std::size_t color = 0; color < 2; ++color) {
    auto& origins = tables.origins[color];
    origins = pseudo;
    const int back = color == 0 ? -1 : 1;
    for (Square to = 0; to < 64; ++to) {
      Bitboard& pawns = origins[static_cast<std::size_t>(PieceType::Pawn)][to];
      for (const int side : {-1, 0, 1}) pawns |= step_from(to, {side, back});
      if (rank_of(to) == (color == 0 ? 3 : 4)) pawns |= step_from(to, {0, 2 * back});
    }
  }
  return tables;
}

constexpr BetweenTable make_between() {
  BetweenTable table{};
  for (Square square = 0; square < 64; ++square) {
    for (const Step step : kRays) {
      Bitboard passed = 0;
      int file = file_of(square) + step.file;
      int rank = rank_of(square) + step.rank;
      for (; on_board(file, rank); file += step.file, rank += step.rank) {
        const Square target = make_square(file, rank);
        table[square][target] = passed;
        passed |= bit(target);
      }
    }
  }
  return table;
}

constexpr Bitboard upside_down(Bitboard set) { return __builtin_bswap64(set); }

constexpr std::array<Approach, 64> make_approaches() {
  const AttackTables tables = make_tables();
  const auto rays = [&tables](Square square, std::size_t one, std::size_t other) {
    return tables.ray[one][square] | tables.ray[other][square];
  };
  std::array<Approach, 64> approaches{};
  for (Square square = 0; square < 64; ++square) {
    const Bitboard next = bit(square) << 1;
    const Bitboard next_flipped = upside_down(bit(square)) << 1;
    Approach& approach = approaches[square];
    approach.diagonals = BitboardPair{rays(square, 2, 6), rays(square, 3, 7)};
    approach.file_and_rank = BitboardPair{rays(square, 0, 4), rays(square, 1, 5)};
    approach.next = BitboardPair{next, next};
    approach.next_flipped = BitboardPair{next_flipped, next_flipped};
    approach.next_flipped_file = BitboardPair{next_flipped, 0};
    approach.west = tables.ray[5][square];
    approach.knights = tables.pseudo[static_cast<std::size_t>(PieceType::Knight)][square];
    approach.kings = tables.pseudo[static_cast<std::size_t>(PieceType::King)][square];
    // A pawn attacks a square from where a pawn of the other color on that square would attack it.
    approach.pawns = {tables.pawn[1][square], tables.pawn[0][square]};
  }
  return approaches;
}

}  // namespace

constinit const AttackTables kAttacks = make_tables();
constinit const BetweenTable kBetween = make_between();
constinit const std::array<Approach, 64> kApproaches = make_approaches();

}  // namespace scidfs::codec
