// The visitor that writes movetext. Part of GameText, for GameText only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/movegen.h"
#include "codec/movetext.h"
#include "codec/pgn.h"
#include "codec/scid/notes.h"
#include "codec/scid/record.h"
#include "codec/text.h"

namespace scidfs::codec::scid {

// A visitor that passes the moves of a walk to a MovetextWriter or a MovetextMeter. It holds notes
// back until all notes of a node are known, since a later one may replace an earlier one. Notes
// that come too late for that (after the variations of their move) make out_of_order() true: the
// walk must be repeated with a NotesPlan. Only for a writer it marks checkmates: `+` and `#` are of
// equal length.
template <class Movetext>
class TextVisitor {
 public:
  TextVisitor(const PgnOptions& options, Movetext& movetext, CommentTexts texts, NotesPlan* plan)
      : options_(options),
        movetext_(movetext),
        texts_(texts),
        plan_(plan),
        often_busy_(plan != nullptr || options.quote_null_moves) {}

  bool out_of_order() const { return out_of_order_; }
  // Returns whether texts are left after the walk. REQUIRES: the game is whole.
  bool has_surplus() { return texts_.has_more(); }

  void start(const Position& /*position*/) { start_line(); }

  template <Color kUs>
  [[gnu::always_inline]] void move(const Position& after, const Move& move) {
    if (busy_) [[unlikely]] {
      enter_move();
      if (hidden_ != 0) return;
      if (options_.quote_null_moves && move.kind == MoveKind::Null && quoted_line_ == 0) {
        quoted_line_ = parents_.size() + 1;
        movetext_.open_quote();
      }
    }
    movetext_.template move<kUs>(after, move, after.in_check(~kUs));
  }

  std::string_view nag(std::uint8_t value) {
    if (plan_ != nullptr) return count_planned();
    if (at_start_) return {};
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

  void begin_variation(const Position& /*before*/) {
    leave_node();
    parents_.push_back(check_mark_);
    if (hidden_ != 0 || !options_.variations) ++hidden_;
    if (hidden_ == 0) movetext_.open_variation();
    ++node_;
    start_line();
  }

  void end_variation(const Position& end_of_line) {
    const bool has_moves = !at_start_;
    // PGN has no variation without moves: its comment becomes one of the move that it follows.
    const Bytes comment = has_moves ? Bytes() : notes_.comment();
    if (!has_moves) notes_.clear();
    leave_node();
    finish_line(end_of_line);
    ++node_;
    if (hidden_ == 0) movetext_.close_variation();
    if (hidden_ == 0 && options_.comments && !comment.empty()) show_comment(comment);
    if (hidden_ != 0) --hidden_;
    check_mark_ = parents_.back();
    parents_.pop_back();
    at_start_ = false;
    closed_ = true;
    busy_ = true;
    // Comments come before other variations.
    out_of_order_ |= !comment.empty() && replaced_;
    replaced_ |= has_moves;
  }

  void end(const Position& end_of_line) {
    leave_node();
    finish_line(end_of_line);
  }

 private:
  static constexpr bool kMarksMate = std::is_same_v<Movetext, MovetextWriter>;

  void start_line() {
    check_mark_ = nullptr;
    at_start_ = true;
    closed_ = false;
    busy_ = true;
    take_planned();
  }

  void finish_line(const Position& end_of_line) {
    if (quoted_line_ == parents_.size() + 1) {
      quoted_line_ = 0;
      movetext_.close_quote();
    }
    if constexpr (kMarksMate) {
      if (hidden_ == 0 && check_mark_ != nullptr && is_checkmate(end_of_line)) {
        MovetextWriter::mark_mate(check_mark_);
      }
    }
  }

  // Prepares a move that is the first of its line or has more before it than another move.
  [[gnu::noinline]] void enter_move() {
    leave_node();
    ++node_;
    at_start_ = false;
    closed_ = false;
    replaced_ = false;
    busy_ = hidden_ != 0 || often_busy_;
    take_planned();
  }

  void take_planned() {
    if (plan_ != nullptr) notes_ = plan_->take(node_);
  }

  // Counts a note in a planned walk, where notes were placed beforehand. Returns the error of the
  // one that damages the game.
  std::string_view count_planned() {
    return planned_seen_++ < plan_->good_notes() ? std::string_view() : plan_->error();
  }

  // Writes the notes of the node, when it can get no more.
  void leave_node() {
    if constexpr (kMarksMate) {
      if (!at_start_ && !closed_) check_mark_ = movetext_.check_mark();
    }
    if (hidden_ == 0 && !notes_.empty()) {
      if (options_.nags) {
        for (const std::uint8_t nag : notes_.nags()) movetext_.nag(nag);
      }
      if (options_.comments && !notes_.comment().empty()) show_comment(notes_.comment());
      if (options_.comments && options_.variations) {
        for (const Bytes text : notes_.more_comments()) show_comment(text);
      }
    }
    notes_.clear();
  }

  void show_comment(Bytes text) {
    if constexpr (!requires { Movetext::kWantsStoredBytes; }) {
      if (options_.code_page != CodePage::Windows1252) [[unlikely]] {
        decoded_.clear();
        append_utf8(text, decoded_, options_.code_page);
        text = as_bytes(decoded_);
      }
    }
    movetext_.comment(text);
  }

  const PgnOptions& options_;
  Movetext& movetext_;
  CommentTexts texts_;
  NotesPlan* const plan_;
  const bool often_busy_;       // more must be done before every move
  std::vector<char*> parents_;  // check_mark_ of the lines around this one
  std::string decoded_;         // a comment in UTF-8
  Notes notes_;                 // of the current node, not yet written
  char* check_mark_ = nullptr;  // the `+` of the last move if it gives check; of a node left
  std::uint32_t node_ = 0;      // counted in planned walks only
  std::uint32_t planned_seen_ = 0;
  std::size_t quoted_line_ = 0;  // depth of the line that a null move has quoted; 0: none
  unsigned hidden_ = 0;          // depth of variations inside one that is not shown
  bool busy_ = true;             // more must be done before the next move than before most
  bool at_start_ = true;         // the current node is the start of a line, not a move
  bool closed_ = false;          // a variation of the current move has ended
  bool replaced_ = false;        // and one of them had moves
  bool out_of_order_ = false;
};

}  // namespace scidfs::codec::scid
