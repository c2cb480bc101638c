// The places where a game comes to any of many boards.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "codec/scid/walk.h"
#include "fs/database/game_list.h"
#include "fs/database/game_sizes.h"
#include "fs/positions/target_boards.h"

namespace scidfs::fs {

// A replay of games that searches for boards. Keeps buffers between games: one for each thread.
class TargetHits {
 public:
  struct Hit {
    std::uint32_t board = 0;
    std::uint32_t ply = 0;            // moves before it
    std::optional<codec::Move> next;  // the move that follows, if there is one
    // What castling rights and en passant depend on there: the squares that moves have left or
    // entered (codec::Position::touched()), and the square behind a pawn that has just moved two
    // squares, or kNoSquare; unknown where a game does not begin in the standard position.
    codec::Bitboard touched = 0;
    codec::Square passed = codec::kNoSquare;
  };
  enum class Which : std::uint8_t { First, All };  // of the times that a game comes to a board

  // `plies`: for each board how many plies of the game the caller needs after it, at least 1. Both
  // must outlive this.
  TargetHits(const TargetBoards& boards, std::span<const unsigned> plies, Which which)
      : boards_(boards), plies_(plies), which_(which), seen_(boards.size(), kNoGame) {}

  // Returns the hits of a game whose head has been parsed, in order; valid until the next call.
  // Uses a replay, which may be wrong from the place of damage in a record on (replay.h). `last`
  // only saves time. REQUIRES: the game is not the one of the last call.
  std::span<const Hit> find(GameIndex game, codec::Bytes record,
                            const codec::scid::RecordHead& head, TargetBoards::LastPlace last = {});
  // Returns the part of that record that ends with the last ply that the caller needs.
  codec::Bytes wanted_part() const { return wanted_; }
  // Returns up to which ply that record is right, so that hits up to there are: a replay is as far
  // as a walk goes, which is made unless the game is known to be undamaged.
  std::uint32_t right_plies(const GameSizes& sizes, GameIndex game, codec::Bytes record,
                            const codec::scid::RecordHead& head);

 private:
  class Visitor;

  const TargetBoards& boards_;
  const std::span<const unsigned> plies_;
  const Which which_;
  codec::scid::Replay replay_;
  codec::scid::Walker walker_;
  std::vector<GameIndex> seen_;  // by board: the last game that came to it
  std::vector<Hit> hits_;
  codec::Bytes wanted_;
};

}  // namespace scidfs::fs
