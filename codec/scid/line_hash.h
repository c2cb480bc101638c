// Hashes that identify the same moves in many games without keeping the moves.
#pragma once

#include <array>
#include <cstdint>

#include "codec/position.h"
#include "codec/scid/record.h"

namespace scidfs::codec::scid {

// A hash of the beginning of a main line, including its start position: pieces and the side to
// move, not rights and counters, which sources of one game write differently. It depends on the
// start and the moves, not on how a record stores them. Two different beginnings of one length have
// the same number with a chance of 2^-64; only an attacker who knows the seed can raise it.
class LineHash {
 public:
  LineHash(std::uint64_t seed, const RecordHead& head) : value_(mix(seed)) {
    if (!head.fen.has_value()) {
      add_board(Position());
    } else {
      add_board(*head.fen);
    }
  }

  void add(const Move& move) {
    constexpr unsigned kToShift = 8;
    constexpr unsigned kPromotionShift = 16;
    constexpr unsigned kCastlingShift = 24;
    const std::uint64_t castling = move.kind == MoveKind::Castling ? 1 : 0;
    add(move.from | std::uint64_t{move.to} << kToShift |
        static_cast<std::uint64_t>(move.promotion) << kPromotionShift | castling << kCastlingShift);
    ++plies_;
  }

  std::uint64_t value() const { return value_; }
  std::uint32_t plies() const { return plies_; }

 private:
  // Mixes as MurmurHash3 does, one to one.
  static constexpr std::uint64_t mix(std::uint64_t value) {
    constexpr unsigned kHalf = 33;
    value = (value ^ value >> kHalf) * 0xFF51AFD7ED558CCD;
    value = (value ^ value >> kHalf) * 0xC4CEB9FE1A85EC53;
    return value ^ value >> kHalf;
  }
  void add(std::uint64_t item) { value_ = mix(value_ + item + 1); }
  void add_board(const Position& position) {
    for (const Color color : {Color::White, Color::Black}) {
      for (std::size_t type = 0; type < kPieceTypes; ++type) {
        add(position.pieces(color, static_cast<PieceType>(type)));
      }
    }
    add(static_cast<std::uint64_t>(position.side_to_move()));
  }

  std::uint64_t value_;
  std::uint32_t plies_ = 0;
};

}  // namespace scidfs::codec::scid
