// The data of the index about a game, recomputed from its moves.
// Source: FORMAT.md, section 3.2.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/bitboard.h"
#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// The redundant fields of an index entry. Counts are exact, not the codes of the index. A variation
// at any depth counts once, a comment only if it has text.
struct GameFacts {
  std::uint32_t plies = 0;  // of the main line, null moves included
  std::uint32_t variations = 0;
  std::uint32_t comments = 0;
  std::uint32_t nags = 0;
  std::uint32_t material = 0;        // after the main line, as in IndexEntry
  std::uint8_t home_pawn_count = 0;  // 0 for games from a FEN
  std::array<std::uint8_t, 8> home_pawns{};
  std::uint8_t stored_line = 0;  // 0 for games from a FEN
  bool promotion = false;        // in the main line
  bool underpromotion = false;
  bool own_start = false;          // the game begins in a position of its own
  std::optional<Damage> damage{};  // the other fields describe the moves before it
};

// A collector of the facts of a game, in the order of its record. Allocates nothing.
class FactsCollector {
 public:
  // Begins a game. `is_standard` is whether it starts without a FEN.
  void start(const Position& position, bool is_standard);
  // Takes a move, which led to `after`.
  void move(const Position& after, const Move& move);
  void nag() { ++facts_.nags; }
  void comment() { ++facts_.comments; }
  void begin_variation() {
    ++depth_;
    ++facts_.variations;
  }
  void end_variation() { --depth_; }

  // Return whether a pawn has promoted in the main line, and to another piece than a queen.
  bool has_promotion() const { return facts_.promotion; }
  bool has_underpromotion() const { return facts_.underpromotion; }
  // Returns the facts of the moves so far.
  GameFacts facts() const;

 private:
  // The number of pieces of each side by type; that of None means nothing.
  using Counts = std::array<std::array<std::uint8_t, kPieceTypes + 1>, 2>;

  // No stored line is longer.
  static constexpr std::size_t kMaxLinePlies = 32;
  static constexpr std::size_t kMaxHomePawns = 16;

  GameFacts facts_;  // but for material, home pawns and the stored line
  Counts counts_{};  // after the last move of the main line
  bool is_standard_ = true;
  // Pawns that have neither moved nor been taken; none without is_standard_.
  Bitboard home_pawns_ = 0;
  std::size_t depth_ = 0;
  // These have room for what is written after the last entry, so that no branch asks for it.
  std::size_t left_count_ = 0;
  std::array<Square, kMaxHomePawns + 1> left_homes_{};  // of pawns that left, in their order
  std::array<Move, kMaxLinePlies + 1> line_{};          // the first moves
};

// Returns the pawns of both sides that are where the standard position has them.
Bitboard home_pawns_of(const Position& position);
// Does the same for the pawns of the sides.
Bitboard home_pawns_of(Bitboard white, Bitboard black);

// Returns the final-material field of a position: pieces capped at 3 of a kind, pawns not.
std::uint32_t material_of(const Position& position);

// Walks over a record whose head has been parsed. Notes count as they are stored: if one NAG
// replaces another, both count, as do two texts of one node.
GameFacts facts_of(Walker& walker, Bytes record, const RecordHead& head);

// The counts of notes of a game, as in GameFacts.
struct NoteCounts {
  std::uint32_t variations = 0;
  std::uint32_t comments = 0;
  std::uint32_t nags = 0;
};
// Counts the notes of a record whose head has been parsed by its marks, without following the
// moves. REQUIRES: the game has no damage; of another one the counts mean nothing.
NoteCounts count_notes(Bytes record, const RecordHead& head);

// The redundant fields of an index entry.
enum class IndexField : std::uint8_t {
  Plies,
  Material,
  HomePawns,
  StoredLine,
  Start,
  Promotion,
  Underpromotion,
  Variations,
  Comments,
  Nags,
};
inline constexpr std::array<std::string_view, 10> kIndexFieldNames = {
    "plies",     "final material", "home pawns", "stored line", "start position",
    "promotion", "underpromotion", "variations", "comments",    "NAGs"};

// Returns the fields (1 << IndexField) in which an entry disagrees with the moves of its game.
std::uint32_t disagreements(const IndexEntry& entry, const GameFacts& facts);

inline void FactsCollector::move(const Position& after, const Move& move) {
  if (depth_ != 0) return;
  line_[std::min<std::size_t>(facts_.plies, kMaxLinePlies)] = move;
  ++facts_.plies;
  const auto them = static_cast<std::size_t>(after.side_to_move());
  --counts_[them][static_cast<std::size_t>(move.captured)];
  if (move.promotion != PieceType::None) [[unlikely]] {
    facts_.promotion = true;
    facts_.underpromotion |= move.promotion != PieceType::Queen;
    --counts_[1 - them][static_cast<std::size_t>(PieceType::Pawn)];
    ++counts_[1 - them][static_cast<std::size_t>(move.promotion)];
  }
  // A move empties one home at most. All moves since the start have touched squares.
  const Bitboard left = home_pawns_ & after.touched();
  home_pawns_ ^= left;
  left_homes_[left_count_] = first_square(left | bit(63));
  left_count_ += left != 0 ? 1 : 0;
}

}  // namespace scidfs::codec::scid
