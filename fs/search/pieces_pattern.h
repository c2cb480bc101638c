// Men on squares, `Nd5,pe6,_c6`, and pawn structures, `8-pp3ppp-8-3p4-3P4-8-PP3PPP-8`.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "codec/board_pattern.h"

namespace scidfs::fs {

// A pattern of men on the board. A value.
class PiecesPattern {
 public:
  // Whose pawns a structure tells.
  enum class Pawns { OfBoth, OfWhite, OfBlack };

  // Parses squares and their contents with commas between them: a letter as in FEN, `A` or `a` for
  // any white or black man, or `_` for nothing, then a square, or a range of files, of ranks or of
  // both (`Nd-e5-6`), of which at least one has it, or with a number in front at least so many.
  // `for4` as the last word: in that many consecutive positions. Returns InvalidArgument, with a
  // one-line reason for users, for other texts.
  static absl::StatusOr<PiecesPattern> parse(std::string_view text);
  // Parses the board of a FEN that has only these pawns, with `-` or `/` between the ranks: all
  // pawns of these sides. Errors: as parse().
  static absl::StatusOr<PiecesPattern> parse_pawns(std::string_view text, Pawns pawns);

  // Returns one text for all patterns that are the same but for order, repetition and spelling.
  const std::string& text() const { return text_; }
  const codec::BoardPattern& pattern() const { return pattern_; }

 private:
  codec::BoardPattern pattern_;
  std::string text_;
};

}  // namespace scidfs::fs
