// The encoder of game records, in the bytes that Scid writes: the inverse of the walk (walk.h).
// Source: FORMAT.md, sections 4 to 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/facts.h"
#include "codec/scid/moves.h"
#include "codec/scid/notes.h"
#include "codec/scid/record.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// Appends a tag as it is stored. REQUIRES: name and value are not too long, and the name is not
// empty.
void append_tag(std::string_view name, std::string_view value, std::vector<std::uint8_t>& out);

// Builds the record of a game, in the order of its PGN text, and the facts that the index has about
// it. Keeps its buffers, so that games after the first few allocate nothing. One for each thread.
//
// Notes that come after variations of their move are put where Scid has them: NAGs, comment and
// variations of a move follow it in this order. NAGs follow Scid's rules (Notes::add_nag()). A
// second comment at one place is joined to the first by a blank.
class RecordEncoder {
 public:
  // Begins a game. Tags come first, then start().
  void begin();
  // Adds an extra tag. A value is cut, before a character, to what a record can hold; a tag whose
  // name is empty or too long is left out. Returns whether the tag is stored as it is.
  bool tag(std::string_view name, std::string_view value);
  // Sets the start of the game. `is_standard` is whether the record needs no FEN: then the position
  // is the standard one.
  void start(const Position& position, bool is_standard);
  // Adds a move, which leads to `after`. REQUIRES: it fits the position before.
  void move(const Move& move, const Position& after);
  // Adds a NAG to the last move; one before any move of a line is left out. Returns false if the
  // move has too many.
  bool nag(std::uint8_t value);
  // Adds a comment to the last move, or to the start of the line. An empty one adds nothing. A NUL
  // becomes a blank.
  void comment(std::string_view text);
  // Begins a variation in place of the last move. REQUIRES: the line has one.
  void open_variation();
  // REQUIRES: a variation is open.
  void close_variation();

  // Returns the whole record, valid until the next call of begin(); an empty one if it would have
  // more than kMaxRecordSize bytes. REQUIRES: no variation is open.
  Bytes end();
  // Returns the facts of the moves so far.
  GameFacts facts() const { return facts_.facts(); }

 private:
  using Buffer = std::vector<std::uint8_t>;

  // The state of a line: the pieces after its last move, the data needed to take that back, and
  // where its notes are.
  struct Line {
    PieceLists lists;
    Move last;
    Color mover = Color::White;
    std::uint8_t captured_number = 0;
    bool has_move = false;
    bool has_comment = false;
    Notes notes;               // only NAGs
    std::size_t nags_end = 0;  // in moves_, also of its comment's mark
    std::size_t text_end = 0;  // in comments_, of its comment, or where that would begin
  };

  // What is written between two calls of check_size() to a record that is not full.
  static constexpr std::size_t kMostAtOnce = 2;

  // Notes of the next node begin at the ends of the buffers.
  void begin_node() {
    if (!line_.notes.nags().empty()) [[unlikely]]
      clear_notes();
    line_.has_comment = false;
    line_.nags_end = moves_end_;
    line_.text_end = comments_.size();
  }
  // Out of line, as few moves have any.
  void clear_notes();
  template <Color kUs>
  void encode(Move move);
  void add_byte(std::uint8_t byte) { moves_[moves_end_++] = byte; }
  // Makes room for notes of the last move before what follows them.
  void open_gap(std::size_t at, std::size_t size);
  // Notes that a part of the record has grown.
  void check_size(std::size_t size) { is_full_ |= size > kMaxRecordSize; }

  Line line_;
  std::vector<Line> parents_;
  FactsCollector facts_;
  // Whether a part has more than kMaxRecordSize bytes: everything else about the game is left out.
  bool is_full_ = false;
  Buffer tags_, fen_, comments_, record_;
  // Has all the room that moves can need, so that no move asks for it.
  Buffer moves_ = Buffer(kMaxRecordSize + 1 + kMostAtOnce);
  std::size_t moves_end_ = 0;
};

}  // namespace scidfs::codec::scid
