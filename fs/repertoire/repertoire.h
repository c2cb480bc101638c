// The positions of a repertoire: all that the games of a database and their variations come to.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Limits: with both of them, all that one answer needs stays below 256 MB.
inline constexpr std::size_t kMostRepertoirePositions = 250'000;
inline constexpr std::size_t kMostRepertoireMoves = 500'000;

// The positions, board and side to move only, each once, with the moves that stand there: those of
// all games, so that transpositions join. Positions are numbered, and moves of one position
// ordered, as they first stand in the text of the games. A null move ends its line. Immutable.
class Repertoire {
 public:
  using Place = std::uint32_t;  // the number of a position
  static constexpr Place kNoPlace = ~Place{0};

  struct Move {
    codec::Move move;
    bool is_doubtful = false;  // somewhere it has the glyph ?, ?? or ?!
    Place to = kNoPlace;
    std::uint32_t next = kNoPlace;  // of the same position, in moves_
  };

  // Reads the games that a database shows, one after the other: the readable part of each. Errors:
  // Unimplemented if there are more positions or moves than the limits; those of begin_decoding();
  // Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const Repertoire>> read(const Database& database,
                                                                const WorkBudget& budget);

  std::size_t size() const { return nodes_.size(); }
  std::size_t moves() const { return moves_.size(); }
  // Returns the positions in which the games begin.
  std::span<const Place> starts() const { return starts_; }
  codec::Color side_to_move(Place place) const { return nodes_[place].board.side; }
  // Returns a position, with the castling rights that a FEN of two fields has.
  codec::Position position(Place place) const;
  // Returns the place of a position; kNoPlace if it is none of them.
  Place find(const codec::Position& position) const;
  // Calls visit(move) for each move of a position.
  template <class Visit>
  void for_each_move(Place place, const Visit& visit) const {
    for (std::uint32_t i = nodes_[place].first; i != kNoPlace; i = moves_[i].next) {
      visit(moves_[i]);
    }
  }

  std::size_t memory() const;

 private:
  friend class RepertoireReader;

  static constexpr std::size_t kMostMen = 32;

  // A board, exactly: the types of the men in the order of their squares, two in a byte.
  struct Board {
    std::array<codec::Bitboard, 2> occupied{};
    std::array<std::uint8_t, kMostMen / 2> types{};
    codec::Color side{};

    static Board of(const codec::Position& position);
    friend bool operator==(const Board&, const Board&) = default;
  };
  struct Node {
    Board board;
    std::uint32_t first = kNoPlace, last = kNoPlace;  // of its moves
  };

  // Returns the slot of a board, or the empty one where it belongs.
  std::size_t slot_of(const Board& board) const;
  Place place_of(const codec::Position& position);
  void grow();

  std::vector<Node> nodes_;
  std::vector<Move> moves_;
  std::vector<Place> starts_;
  std::vector<Place> slots_;  // open addressing, at most half full; kNoPlace: empty
};

}  // namespace scidfs::fs
