#include "codec/scid/sequence_seek.h"

#include <cassert>
#include <cstddef>

namespace scidfs::codec::scid {
namespace {

constexpr bool is_of_kind(MoveKind move, MoveStep::Kind step) {
  switch (step) {
    case MoveStep::Kind::Castling:
      return move == MoveKind::Castling;
    case MoveStep::Kind::Null:
      return move == MoveKind::Null;
    case MoveStep::Kind::Move:
      break;
  }
  return move < MoveKind::Castling;
}

// A visitor of a replay.
class SequenceScan {
 public:
  explicit SequenceScan(const StepTables& tables) : tables_(tables) {}

  // Returns the place after the last move of the sequence; null if it has not been found.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard, Color) { return true; }
  template <Color>
  [[gnu::always_inline]] bool move(ReplayBoard, const Move& move, const std::uint8_t* next) {
    done_ = tables_.after(done_, move);
    if (!tables_.is_complete(done_)) [[likely]]
      return true;
    end_ = next;
    return false;
  }

 private:
  const StepTables& tables_;
  std::uint64_t done_ = 0;
  const std::uint8_t* end_ = nullptr;
};

// A visitor of a walk along the main line.
class SequenceLook {
 public:
  explicit SequenceLook(const StepTables& tables) : tables_(tables) {}

  // Returns the moves up to the end of the sequence.
  const std::optional<std::uint32_t>& end() const { return end_; }

  void start(const Position&) {}
  void move(const Position&, const Move& move) {
    ++plies_;
    done_ = tables_.after(done_, move);
    if (!end_.has_value() && tables_.is_complete(done_)) end_ = plies_;
  }

 private:
  const StepTables& tables_;
  std::uint64_t done_ = 0;
  std::uint32_t plies_ = 0;
  std::optional<std::uint32_t> end_;
};

}  // namespace

StepTables::StepTables(std::span<const MoveStep> steps) {
  assert(!steps.empty() && steps.size() <= kMostSteps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const MoveStep& step = steps[i];
    const std::uint64_t own = std::uint64_t{1} << i;
    for (std::size_t square = 0; square < by_to_.size(); ++square) {
      if ((step.to >> square & 1) != 0) by_to_[square] |= own;
      if ((step.from >> square & 1) != 0) by_from_[square] |= own;
    }
    for (std::size_t type = 0; type < by_piece_.size(); ++type) {
      const auto promotion = static_cast<PieceType>(type);
      if ((step.pieces >> type & 1) != 0) by_piece_[type] |= own;
      if (step.promotion == PieceType::None || step.promotion == promotion) {
        by_promotion_[type] |= own;
      }
    }
    for (std::size_t takes = 0; takes < by_capture_.size(); ++takes) {
      if (step.takes.value_or(takes != 0) == (takes != 0)) by_capture_[takes] |= own;
    }
    for (std::size_t kind = 0; kind < by_kind_.size(); ++kind) {
      if (is_of_kind(static_cast<MoveKind>(kind), step.kind)) by_kind_[kind] |= own;
    }
    if (step.is_followed_by_any) lasting_ |= own;
    last_ = own;
  }
}

SequenceSeeker::SequenceSeeker(std::span<const MoveStep> steps, CastlingRule rule)
    : tables_(steps), reader_(rule) {}

std::optional<std::uint32_t> SequenceSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  SequenceScan scan(tables_);
  reader_.replay(scan);
  if (scan.end() == nullptr) return std::nullopt;
  SequenceLook look(tables_);
  reader_.walk_to(scan.end(), look);
  return look.end();
}

}  // namespace scidfs::codec::scid
