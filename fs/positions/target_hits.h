// Where a game comes to any of many boards.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "fs/database/game_list.h"
#include "fs/positions/target_boards.h"

namespace scidfs::fs {

// Replays games. Holds working room between them: one for each thread.
class TargetHits {
 public:
  struct Hit {
    std::uint32_t board = 0;
    std::uint32_t ply = 0;            // moves before it
    std::optional<codec::Move> next;  // the move that follows, if any does
  };
  enum class Which : std::uint8_t { First, All };  // of the times that a game comes to a board

  // `plies`: for each board how many plies of the game are wanted after it, at least 1. Both must
  // outlive this.
  TargetHits(const TargetBoards& boards, std::span<const unsigned> plies, Which which)
      : boards_(boards), plies_(plies), which_(which), seen_(boards.size(), kNoGame) {}

  // The hits of a game whose head has been parsed, in order; valid until the next call. As a replay
  // says, which may be wrong from where the record is damaged on (replay.h). No game may be asked
  // for twice in a row.
  std::span<const Hit> find(GameIndex game, codec::Bytes record,
                            const codec::scid::RecordHead& head);
  // The part of that record that ends with the last ply that is wanted.
  codec::Bytes wanted_part() const { return wanted_; }

 private:
  class Visitor;

  const TargetBoards& boards_;
  const std::span<const unsigned> plies_;
  const Which which_;
  codec::scid::Replay replay_;
  std::vector<GameIndex> seen_;  // by board: the last game that came to it
  std::vector<Hit> hits_;
  codec::Bytes wanted_;
};

}  // namespace scidfs::fs
