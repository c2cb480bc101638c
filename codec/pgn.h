// The one writer of PGN text: tag pairs and movetext in the standard's export format.
//
// Text is written through a bare pointer into room that the caller has made sure of: the size of a
// game's text is bounded by the size of its record (see scid/game_text.h), so nothing is checked
// per character. Each function says how much it writes at most.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/eco.h"
#include "codec/san.h"
#include "codec/types.h"

namespace scidfs::codec {

// What of a game is shown, and how.
struct PgnOptions {
  bool comments = true;
  bool variations = true;
  bool nags = true;
  unsigned width = 80;  // columns of a line of movetext; 0: all on one line

  friend bool operator==(const PgnOptions&, const PgnOptions&) = default;
};

// The tags that a database knows of every game. Texts are ready for PGN (clean, escaped, not empty)
// with NameTable::kPadding readable bytes behind each.
struct GameTags {
  std::string_view event, site, round, white, black;
  Date date;
  Date event_date;
  Result result = Result::Unknown;
  Rating white_rating, black_rating;
  EcoCode eco = 0;
};

// `[name "value"]` and a line end: name.size() + value.size() + 6 bytes.
char* write_tag(std::string_view name, std::string_view value, char* out);

// The seven tag roster, ratings, ECO and event date, as far as they are known (specification scid4,
// section 7, points 1 to 4). Writes at most kMaxTagsLength(tags) bytes, blocks of padding included.
char* write_tags(const GameTags& tags, char* out);
std::size_t max_tags_length(const GameTags& tags);

// Movetext: numbers, moves, NAGs, comments, variations and the result, wrapped at `width` columns
// between tokens (a move number never from its move). Write-only and sequential; make one per game.
class MovetextWriter {
 public:
  // The most that one ply (kSanRoom and the number, with slack for block stores), one NAG, one
  // bracket may write.
  static constexpr std::size_t kPlyRoom = 48;

  // Begins at `out`. REQUIRES: out[-1] is a line end.
  void begin(char* out, unsigned width);

  // A move with its number where PGN wants one: before White's, and before Black's at the start of
  // a line or after a comment or a variation. `before` is the position it is played in.
  template <Color kUs>
  void move(const Position& before, const Move& move);
  // Ends the token of the last move, with a `+` if it gives check.
  void end_move(bool check) {
    // The byte behind the move is written in any case, and counts if it is wanted.
    *out_ = '+';
    out_ += check ? 1 : 0;
    wrap();
  }
  // Turns the `+` that was written last into `#`: it was mate, as the end of the line has shown.
  static void mark_mate(char* check) { *check = '#'; }
  // Where the `+` of the move ended last stands, if it gave check.
  char* check_mark() const { return out_ - 1; }

  void nag(unsigned value);
  // A comment of raw bytes. They become valid UTF-8, `}` becomes `)`, runs of blanks and of line
  // ends one each, other control characters but tab blanks. Writes at most 3 bytes for each byte
  // and 3 more.
  void comment(Bytes text);
  void open_variation();
  void close_variation();
  // The result, the end of its line, and the empty line after the game. Returns the end of the
  // text.
  char* end(Result result);

 private:
  static constexpr std::size_t kNoWrap = std::size_t{1} << 60;

  // A token begins: after a blank, at which the line may be broken, or right behind a bracket.
  void start_token();
  void put(char c) { *out_++ = c; }
  void put(std::string_view text);
  void put_number(const Position& before, std::string_view dots);
  void wrap() {
    if (reinterpret_cast<std::uintptr_t>(out_) > limit_) [[unlikely]]
      break_line();
  }
  void break_line();
  void put_comment_text(std::string_view text);

  // A line that begins at `begin` fits up to there. An address, since it may lie behind the room.
  std::uintptr_t limit_of(const char* begin) const {
    return reinterpret_cast<std::uintptr_t>(begin) + width_;
  }

  // Columns are counted in characters: bytes that continue a UTF-8 sequence push the limit.
  char* out_ = nullptr;
  char* start_ = nullptr;
  char* break_ = nullptr;        // the last blank at which the line may be broken, or null
  std::uintptr_t limit_ = 0;     // the address up to which the line fits
  std::size_t break_extra_ = 0;  // continuation bytes since break_; 0 while plain_
  std::size_t width_ = 0;
  bool plain_ = false;  // the next move needs no more than a blank and its own number
  bool glue_ = false;   // the next token follows a bracket
};

namespace internal {

// "1. ", "2. ", ... as far as a word holds them.
inline constexpr std::size_t kNumberTexts = 256;
extern const std::array<ShortText, kNumberTexts> kMoveNumbers;

}  // namespace internal

template <Color kUs>
[[gnu::always_inline]] inline void MovetextWriter::move(const Position& before, const Move& move) {
  // A copy of out_: what is written through it might be anything of *this, for all the compiler
  // knows.
  char* out = out_;
  if (plain_) [[likely]] {
    break_ = out;
    *out++ = ' ';
  } else {
    start_token();
    if constexpr (kUs == Color::Black) put_number(before, "... ");
    plain_ = true;
    out = out_;
  }
  if constexpr (kUs == Color::White) {
    const std::uint32_t number = before.move_number();
    if (number < internal::kNumberTexts) [[likely]] {
      out = internal::kMoveNumbers[number].write(out);
    } else {
      out_ = out;
      put_number(before, ". ");
      out = out_;
    }
  }
  out_ = write_san<kUs>(before, move, out);
}

}  // namespace scidfs::codec
