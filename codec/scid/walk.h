// The walk over the moves of a game record: the decoder for all readers of whole games.
// Source: FORMAT.md, sections 5 and 6.
//
// A visitor is any class with these members; none is virtual, so all are inlined:
//
//   void start(const Position&);                  // once, before everything else
//   template <Color kUs>
//   void move(const Position& after, const Move&);
//   std::string_view nag(std::uint8_t);           // not empty: why the game is damaged
//   std::string_view comment();                   // a marker; the text lies elsewhere
//   void begin_variation(const Position& before); // replaces the move visited last
//   void end_variation(const Position& end_of_line);
//   void end(const Position& end_of_line);        // the main line has ended, or is damaged
//
// In a damaged game the walk still ends all open variations and the game, so that the visitor's
// result is well formed.
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

// Returns whether a byte at a move position is a mark; every other byte is a move.
constexpr bool is_mark(std::uint8_t byte) {
  return static_cast<std::uint8_t>(byte - kMarkNag) <= kMarkEndGame - kMarkNag;
}

// A decoder of records. Keeps the room for nested variations between games; one per thread. Only
// the record size limits nesting: the stack is on the heap.
class Walker {
 public:
  // Visits the moves of `record`, whose head has been parsed. Returns the damage that ended the
  // walk early, if any.
  template <class Visitor>
  std::optional<Damage> walk(Bytes record, const RecordHead& head, Visitor& visitor);

  // Returns the place after the last byte that the last walk has read: in a whole game, the start
  // of the comments.
  std::size_t end_offset() const { return end_offset_; }

 private:
  // The state of a line, with the data needed to go back before its last move.
  struct Line {
    Position position;
    PieceLists lists;
    Move last;
    Position::Undo undo{};
    std::uint8_t captured_number = 0;
    bool has_move = false;

    // Prepares for a move that may have to be taken back.
    [[gnu::noinline]] void remember(Square from, Square to, PieceType piece, PieceType captured,
                                    PieceType promotion, MoveKind kind) {
      last = {.from = from,
              .to = to,
              .piece = piece,
              .captured = captured,
              .promotion = promotion,
              .kind = kind};
      undo = position.undo();
      captured_number = lists.number_on(victim_of(last, position.side_to_move()));
      has_move = true;
    }
    void step_back() {
      lists.unmake(~position.side_to_move(), last, captured_number);
      position.unmake(last, undo);
      has_move = false;
    }
  };

  // Visits plain moves as long as they come; each must have a byte after it, and so be before
  // `last`. Returns where there is anything else.
  template <class Visitor>
  const std::uint8_t* plain_plies(const std::uint8_t* in, const std::uint8_t* last,
                                  Visitor& visitor);
  template <Color kUs, class Visitor>
  bool plain_ply(const std::uint8_t*& in, const std::uint8_t* last, Visitor& visitor);
  // Each continues from the move or mark at `in`. Returns the place after it, or null with error_.
  template <Color kUs, class Visitor>
  const std::uint8_t* special_ply(const std::uint8_t* in, const std::uint8_t* end,
                                  Visitor& visitor);
  template <class Visitor>
  const std::uint8_t* mark(const std::uint8_t* in, const std::uint8_t* end, Visitor& visitor);
  template <class Visitor>
  void begin_variation(Visitor& visitor);
  template <class Visitor>
  void end_variation(Visitor& visitor);
  // Plays a decoded move of a piece by its number; `next` is the byte after it.
  template <Color kUs, class Visitor>
  void play(std::size_t number, const Move& move, std::uint8_t next, Visitor& visitor);

  // Visits moves from `in` on. Returns where it stopped: at the end of the game, or, with error_,
  // at the damage.
  template <class Visitor>
  const std::uint8_t* walk_moves(const std::uint8_t* in, const std::uint8_t* end, Visitor& visitor);

  Line line_;  // comes first: the most used member is cheapest to reach
  const Position standard_position_;
  const PieceLists standard_lists_ = PieceLists::standard();
  std::vector<Line> parents_;
  std::string_view error_;
  std::size_t end_offset_ = 0;
};

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline void Walker::play(std::size_t number, const Move& move,
                                                std::uint8_t next, Visitor& visitor) {
  // Only a move with a mark after it can be replaced by a variation and must be taken back.
  if (is_mark(next) && next != kMarkEndGame) [[unlikely]] {
    line_.remember(move.from, move.to, move.piece, move.captured, move.promotion, move.kind);
  }
  line_.lists.make<kUs>(number, move);
  line_.position.make<kUs>(move);
  visitor.template move<kUs>(line_.position, move);
}

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline bool Walker::plain_ply(const std::uint8_t*& in,
                                                     const std::uint8_t* last, Visitor& visitor) {
  if (in >= last) [[unlikely]]
    return false;
  const std::uint8_t byte = *in;
  const std::size_t number = byte >> 4;
  if (number >= line_.lists.count(kUs)) [[unlikely]]
    return false;
  const NumberedPiece piece = line_.lists.piece(kUs, number);
  const Target target = find_target(kUs, piece, byte & 15);
  Square to = target.to;
  Piece victim = line_.position.piece_at(to);
  if ((target.allowed & victim.obstacle) == 0) [[unlikely]] {
    if (!target.diagonal || in + 1 == last) return false;
    to = static_cast<Square>(in[1] - kDiagonalBase);
    if (to > 63 || (pseudo_attacks(PieceType::Bishop, piece.square()) & bit(to)) == 0) return false;
    victim = line_.position.piece_at(to);
    if (((kNoObstacle | obstacle_of(~kUs)) & victim.obstacle) == 0) return false;
    ++in;
  }
  ++in;
  // The compiler knows here that the move is not special, and which tests it can omit.
  play<kUs>(number,
            {.from = piece.square(),
             .to = to,
             .piece = piece.type(),
             .captured = victim.type,
             .kind = target.double_push ? MoveKind::DoublePush : MoveKind::Normal},
            *in, visitor);
  return true;
}

template <class Visitor>
const std::uint8_t* Walker::plain_plies(const std::uint8_t* in, const std::uint8_t* last,
                                        Visitor& visitor) {
  bool skip = line_.position.side_to_move() == Color::Black;
  while (skip || plain_ply<Color::White>(in, last, visitor)) {
    skip = false;
    if (!plain_ply<Color::Black>(in, last, visitor)) break;
  }
  return in;
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
  const std::uint8_t* const next = in + (decoded.two_bytes ? 2 : 1);
  play<kUs>(*in >> 4U, decoded.move, next == end ? std::uint8_t{kMarkEndGame} : *next, visitor);
  return next;
}

template <class Visitor>
[[gnu::noinline]] void Walker::begin_variation(Visitor& visitor) {
  parents_.push_back(line_);
  line_.step_back();
  visitor.begin_variation(line_.position);
}

template <class Visitor>
[[gnu::noinline]] void Walker::end_variation(Visitor& visitor) {
  visitor.end_variation(line_.position);
  line_ = parents_.back();
  parents_.pop_back();
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
      begin_variation(visitor);
      return in + 1;
    case kMarkEndVariation:
      if (parents_.empty()) {
        error_ = "a variation ends that has not begun";
        return nullptr;
      }
      end_variation(visitor);
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
    if (in != end) in = plain_plies(in, end - 1, visitor);
    if (in == end) {
      error_ = "the moves do not end";
      return in;
    }
    const std::uint8_t* next;
    if (is_mark(*in)) {
      if (*in == kMarkEndGame && parents_.empty()) return in;
      next = mark(in, end, visitor);
    } else if (line_.position.side_to_move() == Color::White) {
      next = special_ply<Color::White>(in, end, visitor);
    } else {
      next = special_ply<Color::Black>(in, end, visitor);
    }
    if (next == nullptr) return in;
    in = next;
  }
}

template <class Visitor>
std::optional<Damage> Walker::walk(Bytes record, const RecordHead& head, Visitor& visitor) {
  line_.position = head.fen.has_value() ? *head.fen : standard_position_;
  line_.lists = head.fen.has_value() ? PieceLists::from_position(*head.fen) : standard_lists_;
  line_.has_move = false;
  parents_.clear();
  error_ = {};
  visitor.start(line_.position);

  const std::uint8_t* const last =
      walk_moves(record.data() + head.moves_offset, record.data() + record.size(), visitor);
  while (!parents_.empty()) end_variation(visitor);
  // A record can nest as deep as it is long: that much room is not kept.
  constexpr std::size_t kKeptNesting = 256;
  if (parents_.capacity() > kKeptNesting) [[unlikely]]
    std::vector<Line>().swap(parents_);
  visitor.end(line_.position);
  const auto offset = static_cast<std::size_t>(last - record.data());
  end_offset_ = std::min(offset + 1, record.size());
  if (error_.empty()) return std::nullopt;
  return Damage{.offset = static_cast<std::uint32_t>(offset), .reason = error_};
}

}  // namespace scidfs::codec::scid
