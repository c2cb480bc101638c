// The moves played in a position, and their results.
#pragma once

#include <absl/functional/function_ref.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/eco.h"
#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/database/game_set.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/tables/eco_counts.h"
#include "fs/tables/opening_scores.h"

namespace scidfs::fs {

// The scores of some games that come to a position.
struct MoveScore {
  Score score;                                  // of White
  Average elo;                                  // of the side to move
  Average against;                              // of the other side
  std::uint16_t first_year = 0, last_year = 0;  // 0: none is known
  // The last game with a known result, if the score has one.
  GameOfPart last_decided{.part = 0, .game = 0};

  void add_year(std::uint32_t year);

  MoveScore& operator+=(const MoveScore& other);
};

// The number of a move: two moves from one position are the same if their numbers are.
//
//  bits    field      width
//  15      castling       1
//  14..12  promotion      3  codec::PieceType
//  11..6   to             6
//  5..0    from           6
using MoveNumber = std::uint16_t;
constexpr MoveNumber number_of(const codec::Move& move) {
  constexpr unsigned kToShift = 6;
  constexpr unsigned kPromotionShift = 12;
  constexpr unsigned kCastlingShift = 15;
  return static_cast<MoveNumber>(
      move.from | move.to << kToShift | static_cast<unsigned>(move.promotion) << kPromotionShift |
      (move.kind == codec::MoveKind::Castling ? 1U : 0U) << kCastlingShift);
}

// Returns a move as SAN, without the marks of check and mate.
std::string san_without_marks(const codec::Position& position, const codec::Move& move);

struct PlayedMove {
  codec::Move move;
  std::string san;  // without check marks
  MoveScore games;
};

// The games of a set that come to a position, by the moves that follow there. Immutable.
class MoveTable {
 public:
  // The lowest and the highest of the ECO codes that at least one in a hundred of the games with a
  // code have, and the most frequent code (of several the lowest, which is always in the range);
  // ignoring extensions. codec::kEcoBases: no game has a code.
  struct Eco {
    unsigned lowest = codec::kEcoBases;
    unsigned highest = codec::kEcoBases;
    unsigned most = codec::kEcoBases;
  };

  // Makes the table of a position that no game comes to.
  MoveTable() = default;

  // Returns the moves with most games first, then by SAN in byte order, then by number_of().
  std::span<const PlayedMove> moves() const { return moves_; }
  // Returns the score of all games, including those that end in the position.
  const MoveScore& all() const { return all_; }
  const Eco& eco() const { return eco_; }

  std::size_t memory() const;

 private:
  friend class MoveTally;
  MoveTable(std::vector<PlayedMove> moves, const MoveScore& all, const Eco& eco)
      : moves_(std::move(moves)), all_(all), eco_(eco) {}

  std::vector<PlayedMove> moves_;
  MoveScore all_;
  Eco eco_;
};

// Takes the table of a position of a set from elsewhere; nothing if it is not known.
using KnownTable =
    absl::FunctionRef<std::shared_ptr<const MoveTable>(const codec::TargetPosition&)>;
inline std::shared_ptr<const MoveTable> no_table(const codec::TargetPosition& /*position*/) {
  return nullptr;
}

// The counts of one thread for a position. A value; without games it owns no memory.
class MoveTally {
 public:
  // The facts that the index has about a game.
  struct Game {
    codec::Result result = codec::Result::Unknown;
    std::array<std::uint32_t, 2> elo{};  // of White and Black; 0: unknown
    std::uint32_t year = 0;              // 0: unknown
    codec::EcoCode eco = 0;
    GameOfPart place{.part = 0, .game = 0};

    // The columns that rows must have.
    static constexpr std::initializer_list<PackedIndex::Column> kColumns = {
        PackedIndex::Column::Result, PackedIndex::Column::WhiteRating,
        PackedIndex::Column::BlackRating, PackedIndex::Column::Date, PackedIndex::Column::Eco};
    static Game of(const ColumnBatch& rows, std::size_t row, std::uint32_t part = 0) {
      return {.result = rows.result(row),
              .elo = {rows.elo(row, codec::Color::White), rows.elo(row, codec::Color::Black)},
              .year = rows.year(row),
              .eco = rows.eco(row),
              .place = {.part = part, .game = rows.games()[row]}};
    }
  };

  // Counts a game that comes to the position and continues with `next`, or ends there.
  void add(const Game& game, const std::optional<codec::Move>& next, codec::Color side_to_move);
  MoveTally& operator+=(const MoveTally& other);
  // Adds the counts of a part, which were made as if it were the first one.
  void add_part(const MoveTally& other, std::uint32_t part);
  // Returns the score of all games, including those that end in the position.
  MoveScore all() const;
  // Returns the table. REQUIRES: all moves that were added were made in `position`.
  MoveTable table(const codec::Position& position) &&;
  // Appends the counts of a tally of one part to bytes that read() understands.
  void write(std::vector<std::uint8_t>& out) const;
  // Returns nothing if the bytes are no tally of a database with so many games, or have a move that
  // is not possible in the position, where en passant may be and null moves are.
  static std::optional<MoveTally> read(codec::Bytes bytes, GameIndex games,
                                       const codec::Position& position);

  std::size_t memory() const;

 private:
  struct Row {
    codec::Move move;
    MoveScore games;
  };
  MoveScore& row_of(const codec::Move& move);

  // Frequent moves shift towards the front, so that add() finds them at once.
  std::vector<MoveNumber> numbers_;  // of the rows
  std::vector<Row> rows_;
  MoveScore ended_;
  EcoCounts eco_;
};

}  // namespace scidfs::fs
