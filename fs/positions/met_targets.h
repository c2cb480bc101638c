// Which target positions a game comes to, with castling rights and en passant.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "codec/target_position.h"
#include "fs/database/database.h"
#include "fs/positions/target_boards.h"
#include "fs/positions/target_hits.h"

namespace scidfs::fs {

// A finder of these positions among the boards that TargetHits has found: of whole games from the
// standard position by the rights that it tells, of others by a walk. Keeps buffers between games:
// one for each thread.
class MetTargets {
 public:
  struct Place {
    const TargetHits::Hit* hit = nullptr;
    std::uint32_t target = 0;
    bool has_rights = false;  // those of the target position
  };

  // What is given must outlive this.
  MetTargets(const Database& database, const TargetBoards& boards,
             std::span<const codec::TargetPosition> targets);

  // Returns the places of a game that come to the board of a target, in order, as far as a walk
  // goes. `hits`: all of them, just found. Valid until the next call.
  std::span<const Place> find(GameIndex game, codec::Bytes record,
                              const codec::scid::RecordHead& head, const TargetHits& finder,
                              std::span<const TargetHits::Hit> hits);
  // Returns up to which ply that game can be read; a number beyond its end if it is whole.
  std::uint32_t plies() const { return plies_; }

 private:
  // What a position needs to have the rights of a target.
  struct Rights {
    codec::Square takeable = codec::kNoSquare;
    std::uint8_t castling = 0;
    bool as_in_chess = false;  // kings and rooks castle from their squares in the standard position
  };

  bool has_rights(const TargetHits::Hit& hit, std::uint32_t target) const;

  const Database& database_;
  const TargetBoards& boards_;
  const std::span<const codec::TargetPosition> targets_;
  std::vector<Rights> rights_;  // by target
  codec::scid::Walker walker_;
  std::vector<Place> places_;
  std::uint32_t plies_ = 0;
};

}  // namespace scidfs::fs
