#include "codec/scid/notes_seek.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

// A visitor of walks that looks for a NAG.
class NagLook {
 public:
  NagLook(SoughtRange nags, CommentTexts texts, std::vector<Notes>& parents)
      : nags_(nags), texts_(texts), parents_(parents) {
    parents_.clear();
  }

  const std::optional<std::uint32_t>& first() const { return first_; }

  void start(const Position&) {}
  template <Color>
  void move(const Position&, const Move&) {
    leave_move();
    is_move_ = true;
    if (parents_.empty()) ++ply_;
  }
  std::string_view nag(std::uint8_t value) {
    const bool has_room = !is_move_ || notes_.add_nag(value);
    return has_room ? std::string_view() : "a move has more than seven NAGs";
  }
  std::string_view comment() {
    return texts_.next().has_value() ? std::string_view() : "a comment's text is missing";
  }
  void begin_variation(const Position&) {
    parents_.push_back(notes_);
    notes_.clear();
    is_move_ = false;
  }
  void end_variation(const Position&) {
    leave_move();
    notes_ = parents_.back();
    parents_.pop_back();
    is_move_ = true;
  }
  void end(const Position&) { leave_move(); }

 private:
  // Looks at the NAGs of a move when it can get no more: a later one may replace an earlier one.
  void leave_move() {
    const bool has_any = std::ranges::any_of(
        notes_.nags(), [this](std::uint8_t nag) { return nags_.contains(nag); });
    notes_.clear();
    // Variations are left before the move that they replace, so plies ascend.
    if (has_any && !first_.has_value()) first_ = parents_.empty() ? ply_ : ply_ - 1;
  }

  const SoughtRange nags_;
  CommentTexts texts_;
  std::vector<Notes>& parents_;
  Notes notes_;  // of the last move of the line
  std::optional<std::uint32_t> first_;
  std::uint32_t ply_ = 0;
  bool is_move_ = false;  // the line has a move
};

// A visitor of noted lines that looks for a value.
class NoteLook {
 public:
  NoteLook(NoteKind kind, SoughtRange values) : kind_(kind), values_(values) {}

  const std::optional<std::uint32_t>& first() const { return first_; }
  bool has_any() const { return has_any_; }

  void start(const Position& position) {
    *this = NoteLook(kind_, values_);
    to_move_ = position.side_to_move();
  }
  void move(const Position& after, const Move&) {
    ++ply_;
    to_move_ = after.side_to_move();
  }
  void notes(const MoveNotes& notes) {
    const std::optional<std::int64_t> value = value_of(notes);
    before_ = notes.eval;
    if (!value.has_value()) return;
    has_any_ = true;
    if (!first_.has_value() && values_.contains(*value)) first_ = ply_;
  }

 private:
  std::optional<std::int64_t> value_of(const MoveNotes& notes) const {
    if (kind_ == NoteKind::Clock) return notes.clock;
    if (kind_ == NoteKind::Eval) return notes.eval;
    if (!before_.has_value() || !notes.eval.has_value()) return std::nullopt;
    // The side that has moved is not to move.
    return to_move_ == Color::Black ? *before_ - *notes.eval : *notes.eval - *before_;
  }

  NoteKind kind_;
  SoughtRange values_;
  std::optional<std::int32_t> before_;  // the evaluation of the position before
  std::optional<std::uint32_t> first_;
  std::uint32_t ply_ = 0;
  Color to_move_ = Color::White;
  bool has_any_ = false;
};

}  // namespace

bool NagSeeker::must_walk(Bytes record) const {
  // A NAG is a mark and its value, wherever they are.
  const std::uint8_t* in = reader_.moves();
  const std::uint8_t* const end = record.data() + record.size();
  for (std::size_t marks = 0; marks <= Notes::kMaxNags; ++marks) {
    in = static_cast<const std::uint8_t*>(
        std::memchr(in, kMarkNag, static_cast<std::size_t>(end - in)));
    if (in == nullptr || ++in == end) return false;
    if (nags_.contains(*in)) return true;
  }
  return true;  // a move may have too many NAGs
}

std::optional<std::uint32_t> NagSeeker::seek(Bytes record) {
  is_known_ = true;
  if (!reader_.open(record) || !must_walk(record)) return std::nullopt;
  NagLook look(nags_, CommentTexts(record, reader_.head().moves_offset), parents_);
  is_known_ = !reader_.walk_game(look).has_value();
  return look.first();
}

std::optional<std::uint32_t> NoteSeeker::seek(Bytes record) {
  const std::string_view command = kind_ == NoteKind::Clock ? kClockCommand : kEvalCommand;
  is_known_ = false;
  if (as_text(record).find(command) == std::string_view::npos || !reader_.open(record)) {
    return std::nullopt;
  }
  NoteLook look(kind_, values_);
  reader_.walk_noted(look);
  is_known_ = look.has_any();
  return look.first();
}

}  // namespace scidfs::codec::scid
