// A search of games for moves that follow each other.
// Source: FORMAT.md, sections 5 and 6.
//
// Like the searches of seek.h, it replays the main line, and a walk confirms what is found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/move_sequence.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"

namespace scidfs::codec::scid {

// The steps of a sequence that a move fits, as bits, by what the move is. Immutable.
class StepTables {
 public:
  // REQUIRES: at least one step, at most kMostSteps.
  explicit StepTables(std::span<const MoveStep> steps);

  std::uint64_t fitting(const Move& move) const {
    const auto piece = static_cast<std::size_t>(move.piece);
    return by_kind_[static_cast<std::size_t>(move.kind)] & by_to_[move.to] & by_from_[move.from] &
           by_piece_[piece] & by_promotion_[static_cast<std::size_t>(move.promotion)] &
           by_capture_[move.captured != PieceType::None ? 1 : 0];
  }
  // Returns the steps done after a move, given those done before: bit i if the moves up to this one
  // end with the first i + 1 steps.
  std::uint64_t after(std::uint64_t done, const Move& move) const {
    return (((done << 1) | 1) & fitting(move)) | (done & lasting_);
  }
  bool is_complete(std::uint64_t done) const { return (done & last_) != 0; }

 private:
  static constexpr std::size_t kKinds = 5;  // of MoveKind

  std::array<std::uint64_t, kNoSquare> by_to_{}, by_from_{};
  std::array<std::uint64_t, kPieceTypes + 1> by_piece_{}, by_promotion_{};
  std::array<std::uint64_t, 2> by_capture_{};
  std::array<std::uint64_t, kKinds> by_kind_{};
  std::uint64_t lasting_ = 0;  // the steps after which any moves may come
  std::uint64_t last_ = 0;
};

// A search for one sequence in many records. Holds working memory: one for each thread.
class SequenceSeeker {
 public:
  // `rule` is that of the records' format.
  explicit SequenceSeeker(std::span<const MoveStep> steps,
                          CastlingRule rule = CastlingRule::Standard);

  // Returns the moves of the game up to the end of the sequence, where it first ends; nothing if
  // the game does not have it.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const StepTables tables_;
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
