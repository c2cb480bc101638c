// What has been played in a position, and how that went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/eco.h"
#include "codec/position_goal.h"
#include "codec/types.h"
#include "fs/sets/answer.h"
#include "fs/sets/opening_scores.h"
#include "fs/sets/score.h"

namespace scidfs::fs {

// Some games that come to a position.
struct MoveScore {
  Score score;      // of White
  Average elo;      // of the side to move
  Average against;  // of the other side
  std::uint32_t last_year = 0;

  MoveScore& operator+=(const MoveScore& other);
};

struct PlayedMove {
  codec::Move move;
  std::string san;  // without check marks
  MoveScore games;
};

// The games of a set that come to a position, by the moves that follow there. Immutable.
class MoveTable : public Answer {
 public:
  // Most games first, then by SAN in byte order, then as moves are numbered.
  std::span<const PlayedMove> moves() const { return moves_; }
  // All games, with those that end in the position.
  const MoveScore& all() const { return all_; }
  // The lowest of the ECO codes that at least one in a hundred of the games with a code have, the
  // highest of these, and the one that most have, extensions aside; codec::kEcoBases: no game has.
  struct Eco {
    unsigned lowest = codec::kEcoBases;
    unsigned highest = codec::kEcoBases;
    unsigned most = codec::kEcoBases;
  };
  const Eco& eco() const { return eco_; }

  std::size_t memory() const override;

 private:
  friend class MoveTally;

  std::vector<PlayedMove> moves_;
  MoveScore all_;
  Eco eco_;
};

// What one thread has counted of a position. A value.
class MoveTally {
 public:
  // What the index says of a game.
  struct Game {
    codec::Result result = codec::Result::Unknown;
    std::array<std::uint32_t, 2> elo{};  // of White and Black; 0: unknown
    std::uint32_t year = 0;              // 0: unknown
    codec::EcoCode eco = 0;
  };

  // Counts a game that comes to the position and goes on with `next`, or ends there.
  void add(const Game& game, const std::optional<codec::Move>& next, codec::Color side_to_move);
  MoveTally& operator+=(const MoveTally& other);
  MoveTable table(const codec::Position& position) &&;
};

}  // namespace scidfs::fs
