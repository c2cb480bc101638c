// The walk over the moves of a game record: the one decoder, for all that feed on it.
// Source: specification scid4, sections 5 and 6.
//
// A visitor is any class with these members; none is virtual, so all is inlined:
//
//   void start(const Position&);                           // once, before everything else
//   template <Color kUs>
//   void before_move(const Position& before, const Move&); // in the order of the bytes
//   template <Color kUs>
//   void after_move(const Position& after, const Move&);
//   std::string_view nag(std::uint8_t);                    // not empty: why the game is damaged
//   here std::string_view comment();                            // a marker; the text lies
//   elsewhere void begin_variation();                                // replaces the move visited
//   last void end_variation(const Position& end_of_line); void end(const Position& end_of_line); //
//   the main line is over, or damaged
//
// In a damaged game the walk still ends all open variations and the game, so that what a visitor
// builds is well formed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/scid/moves.h"
#include "codec/scid/record.h"

namespace scidfs::codec::scid {

enum Mark : std::uint8_t {
  kMarkNag = 0x0B,
  kMarkComment = 0x0C,
  kMarkBeginVariation = 0x0D,
  kMarkEndVariation = 0x0E,
  kMarkEndGame = 0x0F,
};

// Whether a byte at a move position is a mark; every other byte is a move.
constexpr bool is_mark(std::uint8_t byte) {
  return static_cast<std::uint8_t>(byte - kMarkNag) <= kMarkEndGame - kMarkNag;
}

// Walks over records. Keeps the room for nested variations between games; one per thread. Nesting
// is limited by the record size alone: the stack is on the heap.
class Walker {
 public:
  // Visits the moves of `record`, whose head has been parsed. Returns the damage that ended the
  // walk early, if any.
  template <class Visitor>
  std::optional<Damage> walk(Bytes record, const RecordHead& head, Visitor& visitor);

  // Behind the last byte that the last walk has read: of a whole game, where the comments begin.
  std::size_t end_offset() const { return end_offset_; }

 private:
  // A line at one moment, with what it takes to go back before its last move.
  struct Line {
    Position position;
    PieceLists lists;
    Move last;
    Position::Undo undo{};
    std::uint8_t captured_number = 0;
    bool has_move = false;

    void step_back() {
      lists.unmake(~position.side_to_move(), last, captured_number);
      position.unmake(last, undo);
      has_move = false;
    }
  };

  template <Color kUs, class Visitor>
  std::string_view ply(const std::uint8_t*& in, const std::uint8_t* end, Visitor& visitor);
  template <class Visitor>
  std::string_view mark(const std::uint8_t*& in, const std::uint8_t* end, Visitor& visitor);

  Line line_;
  std::vector<Line> parents_;
  std::size_t end_offset_ = 0;
};

template <Color kUs, class Visitor>
std::string_view Walker::ply(const std::uint8_t*& in, const std::uint8_t* end, Visitor& visitor) {
  Position& position = line_.position;
  PieceLists& lists = line_.lists;
  const std::uint8_t byte = *in;
  const NumberedPiece piece = lists.piece(kUs, byte >> 4);
  const Target target = kTargets[target_row<kUs>(piece.type)][piece.square][byte & 15];
  Move move{.from = piece.square,
            .to = target.to,
            .piece = piece.type,
            .captured = position.piece_at(target.to).type,
            .kind = static_cast<MoveKind>(target.kind)};
  const unsigned onto = move.captured == PieceType::None ? kOntoEmpty : kAsCapture;
  const Bitboard untouchable = position.pieces(kUs) | position.pieces(PieceType::King);
  if ((byte >> 4U) >= lists.count(kUs) || (target.allowed & onto) == 0 ||
      (untouchable & bit(target.to)) != 0) [[unlikely]] {
    const DecodedMove decoded =
        decode_move(position, lists, byte, in + 1 == end ? std::uint8_t{0} : in[1]);
    if (!decoded.error.empty()) return decoded.error;
    move = decoded.move;
    if (decoded.two_bytes) ++in;
  }
  ++in;
  visitor.template before_move<kUs>(position, move);
  const std::uint8_t captured_number = lists.make<kUs>(move);
  const Position::Undo undo = position.make<kUs>(move);
  // Only a move with a mark behind it can be replaced by a variation and must be taken back.
  if (in != end && is_mark(*in)) [[unlikely]] {
    line_.last = move;
    line_.undo = undo;
    line_.captured_number = captured_number;
    line_.has_move = true;
  }
  visitor.template after_move<kUs>(position, move);
  return {};
}

template <class Visitor>
std::string_view Walker::mark(const std::uint8_t*& in, const std::uint8_t* end, Visitor& visitor) {
  switch (*in) {
    case kMarkNag: {
      if (in + 1 == end) return "a NAG is cut off";
      const std::string_view error = visitor.nag(in[1]);
      if (error.empty()) in += 2;
      return error;
    }
    case kMarkComment: {
      const std::string_view error = visitor.comment();
      if (error.empty()) ++in;
      return error;
    }
    case kMarkBeginVariation:
      if (!line_.has_move) return "a variation begins before any move";
      parents_.push_back(line_);
      line_.step_back();
      visitor.begin_variation();
      break;
    case kMarkEndVariation:
      if (parents_.empty()) return "a variation ends that has not begun";
      visitor.end_variation(line_.position);
      line_ = parents_.back();
      parents_.pop_back();
      break;
    default:
      return "the game ends inside a variation";
  }
  ++in;
  return {};
}

template <class Visitor>
std::optional<Damage> Walker::walk(Bytes record, const RecordHead& head, Visitor& visitor) {
  static const PieceLists kStandardLists = PieceLists::standard();
  line_.position = head.start;
  line_.lists = head.has_fen ? PieceLists::from_position(head.start) : kStandardLists;
  line_.has_move = false;
  parents_.clear();
  visitor.start(line_.position);

  const std::uint8_t* in = record.data() + head.moves_offset;
  const std::uint8_t* const end = record.data() + record.size();
  std::string_view error;
  while (true) {
    if (in == end) [[unlikely]] {
      error = "the moves do not end";
      break;
    }
    if (is_mark(*in)) [[unlikely]] {
      if (*in == kMarkEndGame && parents_.empty()) break;
      error = mark(in, end, visitor);
    } else if (line_.position.side_to_move() == Color::White) {
      error = ply<Color::White>(in, end, visitor);
    } else {
      error = ply<Color::Black>(in, end, visitor);
    }
    if (!error.empty()) [[unlikely]]
      break;
  }
  for (; !parents_.empty(); parents_.pop_back()) {
    visitor.end_variation(line_.position);
    line_ = parents_.back();
  }
  visitor.end(line_.position);
  const std::size_t offset = static_cast<std::size_t>(in - record.data());
  end_offset_ = std::min(offset + 1, record.size());
  if (error.empty()) return std::nullopt;
  return Damage{.offset = static_cast<std::uint32_t>(offset), .reason = error};
}

}  // namespace scidfs::codec::scid
