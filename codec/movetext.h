// The only writer of movetext in PGN's export format, and a meter that finds its length without
// writing.
//
// Text is written through a bare pointer into room that the caller has provided. The size of a
// game's record bounds the size of its text (see scid/game_text.h), so no function checks the room
// per character. Each function says how much it writes at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/bytes.h"
#include "codec/san.h"
#include "codec/types.h"

namespace scidfs::codec {

namespace internal {

// " 1.", " 2.", ... for as many moves as most games have.
inline constexpr std::size_t kNumberTexts = 256;
extern const std::array<ShortText, kNumberTexts> kMoveNumbers;

// Returns the number of the move of kUs that led to `after`.
template <Color kUs>
std::uint32_t number_of_move(const Position& after) {
  return after.move_number() - (kUs == Color::Black ? 1 : 0);
}

}  // namespace internal

// A writer of movetext: numbers, moves, NAGs, comments, variations and the result, wrapped at
// `width` columns between tokens (never between a move number and its move). Write-only and
// sequential; make one per game.
class MovetextWriter {
 public:
  // The most that one ply (its number, a word for the move and a check mark), one NAG or one
  // bracket may write.
  static constexpr std::size_t kPlyRoom = 32;

  // Begins at `out`. REQUIRES: out[-1] is a line end, and kTextBlock + 1 bytes before `out`
  // are readable.
  void begin(char* out, unsigned width);

  // Writes a move, which led to `after`, with its number where PGN requires one: before White's,
  // and before Black's at the start of a line or after a comment or a variation.
  template <Color kUs>
  void move(const Position& after, const Move& move, bool check);
  // Returns where the `+` of the last move is, if the move gives check and nothing has been written
  // since.
  char* check_mark() const { return out_ - 1; }
  // Turns such a `+` into `#`, when the end of the line has shown that it was mate.
  static void mark_mate(char* check) { *check = '#'; }

  void nag(unsigned value);
  // Writes a comment of raw bytes. They become valid UTF-8, `}` becomes `)`, control characters
  // except tab become blanks, and line ends with the blanks around them become one line end. No
  // line is broken inside `[%...]`. Writes at most 3 bytes for each byte and 3 more; writing in
  // blocks may touch kTextBlock bytes more.
  void comment(Bytes text);
  // Opens a comment of all that is written until close_quote(): moves, NAGs, variations and the
  // texts of comments. Its brace is written with the next move. REQUIRES: no quote is open.
  void open_quote();
  void close_quote();
  // Opens a variation of the last move. Its bracket is written with the first token in it, so that
  // nothing is left of an empty variation, which PGN does not have. REQUIRES: the line has a move.
  void open_variation();
  void close_variation();
  // Writes the result, the end of its line, and the empty line after the game. Returns the end of
  // the text.
  char* end(Result result);

 private:
  static constexpr std::uint64_t kNoWrap = std::uint64_t{1} << 60;

  // Starts a token: writes a blank, at which the line may be broken if the token `may_begin_line`,
  // and the brackets that are open but not written yet.
  void start_token(bool may_begin_line = true);
  // Starts a move that does not follow another move of its line: writes its number.
  void start_line(Color us, std::uint32_t number);
  void put(char c) { *out_++ = c; }
  void put(std::string_view text);
  void wrap() {
    if (reinterpret_cast<std::uintptr_t>(out_) > limit_) [[unlikely]]
      break_lines();
  }
  // REQUIRES: a word has just been written, and the line is too long now.
  void break_lines();
  void break_at(char* blank) {
    break_ = blank;
    break_extra_ = 0;
  }
  // Writes text that is not all plain (text_blocks.h) in pieces, each outside or in a `[%...]`.
  void put_comment_text(std::string_view text);
  // Writes a piece that `next` follows (NUL: nothing). The line is not broken in a `whole` piece.
  void put_piece(std::string_view text, char next, bool whole);
  // Writes the run of blanks at `in`. Returns its end.
  const char* put_blanks(const char* in, const char* end, char next, bool whole);
  // Return the best blank after break_ at which to break plain text that is too long from `over`
  // on: the last one before, and the first one after. Null if there is none.
  char* last_place(char* over);
  char* first_place(char* over);
  // Returns the start of the `[%...]` that contains `place`, of plain text from `begin` on; null if
  // none does.
  char* annotation_around(char* begin, char* place);
  // Returns the first `]` of plain text from `place` on; plain_end_ if there is none.
  char* find_closing(char* place);

  // Returns the address up to which a line that begins at `begin` fits. It may lie beyond the room.
  std::uint64_t limit_of(const char* begin) const {
    return reinterpret_cast<std::uintptr_t>(begin) + width_;
  }

  // Columns are counted in characters: bytes that continue a UTF-8 sequence raise limit_.
  char* out_ = nullptr;
  char* start_ = nullptr;
  // If this is a blank, the line may be broken there; else it cannot be broken so far. Later blanks
  // in the plain text of a comment, which ends at plain_end_, are found only when needed.
  char* break_ = nullptr;
  char* plain_end_ = nullptr;
  // There is no `]` between these two.
  char* unclosed_ = nullptr;
  char* closing_ = nullptr;
  std::uint64_t limit_ = 0;      // the address up to which the line fits
  std::size_t break_extra_ = 0;  // continuation bytes since break_; 0 while plain_
  std::uint64_t width_ = 0;
  std::string_view opening_;  // brackets that are open but not written yet
  bool plain_ = false;        // the next move needs only a blank and its own number
  bool was_plain_ = false;    // plain_ before the variation that has just begun
  bool quoted_ = false;
};

// A counter of the bytes that a MovetextWriter of any width would write. Lines break at blanks, so
// breaking changes no length.
class MovetextMeter {
 public:
  void begin() { *this = {}; }

  template <Color kUs>
  void move(const Position& after, const Move& move, bool check);
  void nag(unsigned value);
  void comment(Bytes text);
  void open_quote();
  void close_quote();
  void open_variation();
  void close_variation();
  // Returns the length of the text.
  std::size_t end(Result result);

 private:
  void start_token();
  void start_line(Color us, std::uint32_t number);

  std::size_t length_ = 0;
  std::size_t opening_ = 0;  // the length of MovetextWriter::opening_; the others are as there
  bool plain_ = false;
  bool was_plain_ = false;
  bool quoted_ = false;
};

template <Color kUs>
[[gnu::always_inline]] inline void MovetextWriter::move(const Position& after, const Move& move,
                                                        bool check) {
  const ShortText san = find_san<kUs>(after, move);
  const std::uint32_t number = internal::number_of_move<kUs>(after);
  const bool numbered = kUs == Color::White && number >= internal::kNumberTexts;
  if (!plain_ || numbered) [[unlikely]] {
    start_line(kUs, number);
    plain_ = true;
  } else {
    break_ = out_;
    if constexpr (kUs == Color::White) out_ = internal::kMoveNumbers[number].write(out_);
  }
  // A copy of out_: for all the compiler knows, a write through out_ might change any member of
  // *this.
  char* out = san.write(out_);
  // The byte after the move is always written, and counts only if it is needed.
  *out = '+';
  out += check ? 1 : 0;
  out_ = out;
  // Does the same as wrap(), without a branch: which token ends a line is hard to predict. A line
  // may always end before a move: at its own blank or at the blank before its bracket.
  char* const blank = break_;
  const std::uint64_t over = reinterpret_cast<std::uintptr_t>(out) > limit_ ? 1 : 0;
  *blank = static_cast<char>(' ' - over * (' ' - '\n'));
  limit_ ^= (limit_ ^ limit_of(blank + 1)) & (0 - over);
}

template <Color kUs>
[[gnu::always_inline]] inline void MovetextMeter::move(const Position& after, const Move& move,
                                                       bool check) {
  const ShortText san = find_san<kUs>(after, move);
  const std::uint32_t number = internal::number_of_move<kUs>(after);
  const bool numbered = kUs == Color::White && number >= internal::kNumberTexts;
  if (!plain_ || numbered) [[unlikely]] {
    start_line(kUs, number);
    plain_ = true;
  } else if constexpr (kUs == Color::White) {
    length_ += internal::kMoveNumbers[number].size();
  }
  length_ += san.size() + (check ? 1 : 0);
}

}  // namespace scidfs::codec
