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

  // Each goes on from the move or mark at `in` and returns what is behind it, or null with error_.
  template <Color kUs, class Visitor>
  const std::uint8_t* ply(const std::uint8_t* in, const std::uint8_t* end, Visitor& visitor);
  template <Color kUs, class Visitor>
  const std::uint8_t* special_ply(const std::uint8_t* in, const std::uint8_t* end,
                                  Visitor& visitor);
  template <class Visitor>
  const std::uint8_t* mark(const std::uint8_t* in, const std::uint8_t* end, Visitor& visitor);
  // Plays a decoded move; `next` is what is behind it.
  template <Color kUs, class Visitor>
  const std::uint8_t* play(const Move& move, const std::uint8_t* next, const std::uint8_t* end,
                           Visitor& visitor);

  // Visits moves from `in` on. Returns where it stopped: at the end of the game, or with error_ at
  // what is wrong.
  template <class Visitor>
  const std::uint8_t* walk_moves(const std::uint8_t* in, const std::uint8_t* end, Visitor& visitor);

  const Position standard_position_;
  const PieceLists standard_lists_ = PieceLists::standard();
  Line line_;
  std::vector<Line> parents_;
  std::string_view error_;
  std::size_t end_offset_ = 0;
};

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline const std::uint8_t* Walker::play(const Move& move,
                                                               const std::uint8_t* next,
                                                               const std::uint8_t* end,
                                                               Visitor& visitor) {
  visitor.template before_move<kUs>(line_.position, move);
  // Only a move with a mark behind it can be replaced by a variation and must be taken back.
  if (next != end && is_mark(*next)) [[unlikely]] {
    line_.last = move;
    line_.undo = line_.position.undo();
    line_.captured_number = line_.lists.number_on(victim_of(move, kUs));
    line_.has_move = true;
  }
  line_.lists.make<kUs>(move);
  line_.position.make<kUs>(move);
  visitor.template after_move<kUs>(line_.position, move);
  return next;
}

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline const std::uint8_t* Walker::ply(const std::uint8_t* in,
                                                              const std::uint8_t* end,
                                                              Visitor& visitor) {
  const Position& position = line_.position;
  const std::uint8_t byte = *in;
  const NumberedPiece piece = line_.lists.piece(kUs, byte >> 4);
  const Target target = kTargets[static_cast<std::size_t>(kUs)][piece.place()][byte & 15];
  const PieceType captured = position.piece_at(target.to).type;
  const unsigned onto = captured == PieceType::None ? kOntoEmpty : kAsCapture;
  const Bitboard untouchable = position.pieces(kUs) | position.pieces(PieceType::King);
  if ((byte >> 4U) >= line_.lists.count(kUs) || (target.allowed & onto) == 0 ||
      (untouchable & bit(target.to)) != 0) [[unlikely]] {
    return special_ply<kUs>(in, end, visitor);
  }
  // What is no special move is known to the compiler here, and with it what need not be tested.
  return play<kUs>({.from = piece.square(),
                    .to = target.to,
                    .piece = piece.type(),
                    .captured = captured,
                    .kind = target.double_push ? MoveKind::DoublePush : MoveKind::Normal},
                   in + 1, end, visitor);
}

template <Color kUs, class Visitor>
[[gnu::noinline]] const std::uint8_t* Walker::special_ply(const std::uint8_t* in,
                                                          const std::uint8_t* end,
                                                          Visitor& visitor) {
  const DecodedMove decoded =
      decode_move(line_.position, line_.lists, *in, in + 1 == end ? std::uint8_t{0} : in[1]);
  if (!decoded.error.empty()) {
    error_ = decoded.error;
    return nullptr;
  }
  return play<kUs>(decoded.move, in + (decoded.two_bytes ? 2 : 1), end, visitor);
}

template <class Visitor>
[[gnu::noinline]] const std::uint8_t* Walker::mark(const std::uint8_t* in, const std::uint8_t* end,
                                                   Visitor& visitor) {
  error_ = {};
  switch (*in) {
    case kMarkNag:
      error_ = in + 1 == end ? "a NAG is cut off" : visitor.nag(in[1]);
      return error_.empty() ? in + 2 : nullptr;
    case kMarkComment:
      error_ = visitor.comment();
      return error_.empty() ? in + 1 : nullptr;
    case kMarkBeginVariation:
      if (!line_.has_move) {
        error_ = "a variation begins before any move";
        return nullptr;
      }
      parents_.push_back(line_);
      line_.step_back();
      visitor.begin_variation();
      return in + 1;
    case kMarkEndVariation:
      if (parents_.empty()) {
        error_ = "a variation ends that has not begun";
        return nullptr;
      }
      visitor.end_variation(line_.position);
      line_ = parents_.back();
      parents_.pop_back();
      return in + 1;
    default:
      error_ = "the game ends inside a variation";
      return nullptr;
  }
}

template <class Visitor>
const std::uint8_t* Walker::walk_moves(const std::uint8_t* in, const std::uint8_t* end,
                                       Visitor& visitor) {
  while (true) {
    if (in == end) [[unlikely]] {
      error_ = "the moves do not end";
      return in;
    }
    const std::uint8_t* next;
    if (is_mark(*in)) [[unlikely]] {
      if (*in == kMarkEndGame && parents_.empty()) return in;
      next = mark(in, end, visitor);
    } else if (line_.position.side_to_move() == Color::White) {
      next = ply<Color::White>(in, end, visitor);
    } else {
      next = ply<Color::Black>(in, end, visitor);
    }
    if (next == nullptr) [[unlikely]]
      return in;
    in = next;
  }
}

template <class Visitor>
std::optional<Damage> Walker::walk(Bytes record, const RecordHead& head, Visitor& visitor) {
  line_.position = head.fen.value_or(standard_position_);
  line_.lists = head.fen.has_value() ? PieceLists::from_position(*head.fen) : standard_lists_;
  line_.has_move = false;
  parents_.clear();
  error_ = {};
  visitor.start(line_.position);

  const std::uint8_t* const last =
      walk_moves(record.data() + head.moves_offset, record.data() + record.size(), visitor);
  for (; !parents_.empty(); parents_.pop_back()) {
    visitor.end_variation(line_.position);
    line_ = parents_.back();
  }
  visitor.end(line_.position);
  const auto offset = static_cast<std::size_t>(last - record.data());
  end_offset_ = std::min(offset + 1, record.size());
  if (error_.empty()) return std::nullopt;
  return Damage{.offset = static_cast<std::uint32_t>(offset), .reason = error_};
}

}  // namespace scidfs::codec::scid
