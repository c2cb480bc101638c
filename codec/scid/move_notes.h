// Evaluations and clocks of the main line of a game, from the commands in its comments.
// Source: FORMAT.md, section 6; the commands are those of lichess and ChessBase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/bytes.h"
#include "codec/scid/notes.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// How the commands begin.
inline constexpr std::string_view kEvalCommand = "[%eval";
inline constexpr std::string_view kClockCommand = "[%clk";

// What the comments at a position of the main line tell.
struct MoveNotes {
  // In hundredths of a pawn; a mate counts as so much, and so does any greater advantage.
  static constexpr std::int32_t kMostEval = 100'00;
  // In seconds; a longer time counts as so much.
  static constexpr std::uint32_t kMostClock = 9'999'999;

  std::optional<std::int32_t> eval;    // as White sees it
  std::optional<std::uint32_t> clock;  // left, rounded down

  // Adds what these notes lack.
  void complete(const MoveNotes& more) {
    if (!eval.has_value()) eval = more.eval;
    if (!clock.has_value()) clock = more.clock;
  }
};

// Reads the first evaluation and the first clock in a comment at a position in which `to_move` is
// to move:
//
//   [%eval 0.35] [%eval -2.1,18] [%eval 3]  pawns, with the depth of the search or without
//   [%eval -0.345] [%eval 0.35/22 ]         (more places are cut)
//   [%eval 0,35] [%eval 1,35,22]            a decimal comma: after no pawns, or before a depth
//   [%eval 35,18]                           hundredths of a pawn: programs that write a depth, and
//                                           no decimal point, mean these
//   [%eval #3] [%eval #-3,18] [%eval -#3]   a mate; #0: the side to move is mated
//   [%clk 1:02:03] [%clk 0:05:23.4] [%clk 0:05:23,4 ] [%clk 59:59]
//
// A command with any other text does not count.
MoveNotes read_notes(Bytes comment, Color to_move);

// A visitor for Walker::walk() that passes to `look` the main line, and the notes at each of its
// positions. These are of the comments that the PGN text shows there: the last one of the position,
// then those of variations without moves. `Look` is a class with these members:
//
//   void start(const Position&);                    // begins anew
//   void move(const Position& after, const Move&);
//   void notes(const MoveNotes&);                   // once after each of these
//
// and perhaps these:
//
//   void nags(std::span<const std::uint8_t>);       // before notes(); valid until it returns
//   void end(const Position& last);                 // before the last notes()
//
// Missing text is damage. Too many NAGs are none here: the first ones stay.
template <class Look>
class NotedLine {
 public:
  // `plan`: the notes of a whole game with more texts than comment markers; else null.
  NotedLine(Look& look, CommentTexts texts, NotesPlan* plan = nullptr)
      : look_(look), texts_(texts), plan_(plan) {}

  // Returns whether texts are left after the walk. REQUIRES: the game is whole.
  bool has_surplus() { return texts_.has_more(); }

  void start(const Position& position) {
    to_move_ = position.side_to_move();
    look_.start(position);
    take_planned();
  }
  template <Color kUs>
  void move(const Position& after, const Move& move) {
    ++node_;
    is_empty_ = false;
    if (depth_ != 0) return;
    finish();
    to_move_ = ~kUs;
    look_.move(after, move);
    take_planned();
  }
  std::string_view nag(std::uint8_t value) {
    if (kHasNags && depth_ == 0 && plan_ == nullptr) nags_.add_nag(value);
    return {};
  }
  std::string_view comment() {
    if (plan_ != nullptr) return {};
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return "a comment's text is missing";
    if (depth_ == 0) own_ = read_notes(*text, to_move_);
    if (depth_ == 1 && is_empty_) of_variation_ = read_notes(*text, to_move_);
    return {};
  }
  void begin_variation(const Position&) {
    ++node_;
    ++depth_;
    is_empty_ = true;
    of_variation_ = {};
  }
  void end_variation(const Position&) {
    ++node_;
    if (--depth_ == 0 && is_empty_) of_variations_.complete(of_variation_);
    is_empty_ = false;
  }
  void end(const Position& last) {
    if constexpr (requires { look_.end(last); }) look_.end(last);
    finish();
  }

 private:
  static constexpr bool kHasNags = requires(Look & look, Notes notes) { look.nags(notes.nags()); };

  void take_planned() {
    if (plan_ == nullptr) return;
    const Notes notes = plan_->take(node_);
    own_ = read_notes(notes.comment(), to_move_);
    for (const Bytes text : notes.more_comments()) own_.complete(read_notes(text, to_move_));
    nags_ = notes;
  }
  void finish() {
    own_.complete(of_variations_);
    if constexpr (kHasNags) look_.nags(nags_.nags());
    look_.notes(own_);
    own_ = of_variations_ = {};
    if constexpr (kHasNags) nags_.clear();
  }

  Look& look_;
  CommentTexts texts_;
  NotesPlan* const plan_;
  MoveNotes own_;
  Notes nags_;               // of the position, if the look wants them
  MoveNotes of_variations_;  // of those without moves
  MoveNotes of_variation_;   // of the one that has begun
  std::size_t depth_ = 0;
  std::uint32_t node_ = 0;  // as NotesPlan counts them
  Color to_move_ = Color::White;
  bool is_empty_ = false;  // a variation has begun, and no move of it has come
};

// Shows `look` the main line of a record with its notes; from the start again if the game has more
// texts than comment markers. Returns the damage that ended the walk, if any.
template <class Look>
std::optional<Damage> walk_notes(Walker& walker, Bytes record, const RecordHead& head, Look& look) {
  const CommentTexts texts(record, head.moves_offset);
  NotedLine<Look> visitor(look, texts);
  std::optional<Damage> damage = walker.walk(record, head, visitor);
  const bool may_have_surplus = !damage.has_value() && walker.end_offset() != record.size();
  if (!may_have_surplus || !visitor.has_surplus()) return damage;
  NotesPlan plan = NotesPlan::make(walker, record, head);
  NotedLine<Look> planned(look, texts, &plan);
  return walker.walk(record, head, planned);
}

}  // namespace scidfs::codec::scid
