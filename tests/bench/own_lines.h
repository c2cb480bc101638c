// Games that begin as a real one and go on with moves of their own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/facts.h"
#include "codec/scid/record.h"
#include "codec/scid/record_encoder.h"
#include "codec/scid/walk.h"

namespace scidfs::bench {

// Such a game. The record is valid until the next one is made.
struct OwnGame {
  codec::Bytes record;
  codec::scid::GameFacts facts;
};

// A maker of such games. They have the tags of the real game and as many moves, but none of its
// notes; an end by mate or stalemate comes early. One for each thread.
//
// A game of many plies leaves the real one at ply kFirstOwn or later, at any with the same
// chance up to kLastOwn: of its positions to ply 24 a tenth, as a mean, is after that. Of large
// real databases as many positions are those of one game.
class OwnLines {
 public:
  static constexpr std::uint32_t kFirstOwn = 6;
  static constexpr std::uint32_t kLastOwn = 60;
  // The last moves are own ones in any case, but for games of fewer.
  static constexpr std::uint32_t kLeastOwn = 8;

  // Makes one out of a record whose head has been parsed; the same number makes the same one.
  // REQUIRES: the game begins in the standard position.
  OwnGame make(codec::Bytes record, const codec::scid::RecordHead& head,
               const std::vector<codec::scid::ExtraTag>& tags, std::uint64_t number);

 private:
  codec::scid::Walker walker_;
  codec::scid::RecordEncoder encoder_;
  std::vector<codec::Position> positions_;  // of the real game
  std::vector<codec::Move> moves_;          // the move to each of them but the first
};

}  // namespace scidfs::bench
