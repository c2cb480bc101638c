// The visitor that writes movetext. Part of GameText; not for others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/movegen.h"
#include "codec/pgn.h"
#include "codec/scid/notes.h"
#include "codec/scid/record.h"

namespace scidfs::codec::scid {

// Writes the moves of a walk through a MovetextWriter. Notes are held back until all of a node's
// notes are known, since a later one may replace an earlier one. Notes that come too late for that
// (behind the variations of their move) make out_of_order() true: the walk must be repeated with a
// NotesPlan. With kMates a checkmate is written `#`; without it every check is `+`, of equal
// length.
template <bool kMates>
class TextVisitor {
 public:
  TextVisitor(const PgnOptions& options, MovetextWriter& writer, CommentTexts texts,
              NotesPlan* plan)
      : options_(options), writer_(writer), texts_(texts), plan_(plan) {}

  bool out_of_order() const { return out_of_order_; }
  // Whether texts are left after the walk. REQUIRES: the game is whole.
  bool has_surplus() { return texts_.has_more(); }

  void start(const Position& position) {
    state_ = {.check = position.in_check(position.side_to_move()),
              .exposed = position.in_check(~position.side_to_move())};
    check_mark_ = nullptr;
    busy_ = always_busy();
    take_planned();
  }

  template <Color kUs>
  [[gnu::always_inline]] void before_move(const Position& before, const Move& move) {
    if (busy_) [[unlikely]] {
      flush();
      if (hidden_ != 0) return;
    }
    writer_.move<kUs>(before, move);
  }

  template <Color kUs>
  [[gnu::always_inline]] void after_move(const Position& after, const Move& move) {
    at_move_ = true;
    closed_ = false;
    if (busy_) [[unlikely]] {  // which it stays while variations are hidden, and in a planned walk
      ++node_;
      if (hidden_ != 0) return;
    }
    previous_ = state_;
    state_ = checks_after<kUs>(after, move, previous_);
    writer_.end_move(state_.check);
    check_mark_ = writer_.check_mark();
    if (busy_) [[unlikely]]
      take_planned();
  }

  std::string_view nag(std::uint8_t value) {
    if (plan_ != nullptr) return count_planned();
    if (!at_move_) return {};
    out_of_order_ |= closed_;
    busy_ = true;
    return notes_.add_nag(value) ? std::string_view() : "a move has more than seven NAGs";
  }

  std::string_view comment() {
    if (plan_ != nullptr) return count_planned();
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return "a comment's text is missing";
    out_of_order_ |= closed_;
    busy_ = true;
    notes_.set_comment(*text);
    return {};
  }

  void begin_variation() {
    flush();
    ++node_;
    parents_.push_back({.previous = previous_, .state = state_, .check_mark = check_mark_});
    state_ = previous_;
    check_mark_ = nullptr;
    at_move_ = false;
    closed_ = false;
    if (hidden_ != 0 || !options_.variations) ++hidden_;
    if (hidden_ == 0) writer_.open_variation();
    busy_ = always_busy();
    take_planned();
  }

  void end_variation(const Position& end_of_line) {
    flush();
    finish_line(end_of_line);
    ++node_;
    if (hidden_ == 0) writer_.close_variation();
    if (hidden_ != 0) --hidden_;
    busy_ = always_busy();
    previous_ = parents_.back().previous;
    state_ = parents_.back().state;
    check_mark_ = parents_.back().check_mark;
    parents_.pop_back();
    at_move_ = true;
    closed_ = true;
  }

  void end(const Position& end_of_line) {
    flush();
    finish_line(end_of_line);
  }

 private:
  struct Parent {
    Checks previous;
    Checks state;
    char* check_mark;
  };

  void finish_line(const Position& end_of_line) {
    if constexpr (kMates) {
      if (hidden_ == 0 && state_.check && check_mark_ != nullptr && !has_legal_move(end_of_line)) {
        MovetextWriter::mark_mate(check_mark_);
      }
    }
  }

  bool always_busy() const { return hidden_ != 0 || plan_ != nullptr; }

  void take_planned() {
    if (plan_ == nullptr) return;
    notes_ = plan_->take(node_);
  }

  // In a planned walk notes were placed beforehand; only the one that damages the game still
  // counts.
  std::string_view count_planned() {
    return planned_seen_++ < plan_->good_notes() ? std::string_view() : plan_->error();
  }

  void flush() {
    if (hidden_ == 0 && !notes_.empty()) {
      if (options_.nags) {
        for (const std::uint8_t nag : notes_.nags()) writer_.nag(nag);
      }
      if (options_.comments && !notes_.comment().empty()) writer_.comment(notes_.comment());
    }
    notes_ = Notes{};
    busy_ = always_busy();
  }

  const PgnOptions& options_;
  MovetextWriter& writer_;
  CommentTexts texts_;
  NotesPlan* const plan_;
  std::vector<Parent> parents_;
  Notes notes_;                 // of the current node, not yet written
  Checks state_;                // after the last move of the line
  Checks previous_;             // before it
  char* check_mark_ = nullptr;  // where its `+` stands if it gives check; null: no move yet
  std::uint32_t node_ = 0;      // counted in planned walks only
  std::uint32_t planned_seen_ = 0;
  unsigned hidden_ = 0;   // depth of variations inside one that is not shown
  bool busy_ = false;     // before_move() has more to do than to write the move
  bool at_move_ = false;  // the current node is a move, not the start of a line
  bool closed_ = false;   // a variation of the current move has ended
  bool out_of_order_ = false;
};

}  // namespace scidfs::codec::scid
