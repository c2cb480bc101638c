// The words of movetext and what they mean, and what remarks say about them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/move_name.h"
#include "codec/pgn_reader/lexer.h"
#include "codec/pgn_reader/line.h"
#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::codec::pgn_reader {

struct Word {
  enum class Kind : std::uint8_t {
    Move,  // a name, perhaps with a glyph
    NullMove,
    Glyph,
    Result,
    Nothing,  // a check mark, "e.p.", ...
    NoMove,   // what must be a move, in a notation that is not read
    Unknown,  // another word
  };

  Kind kind = Kind::Unknown;
  std::uint8_t nag = 0;   // 0: none
  bool has_junk = false;  // whether signs around a move say nothing
  // Whether a result follows a move without a blank ("Nf31-0").
  bool ends_game = false;
  Result result = Result::Unknown;
  MoveName name;

  // Returns whether a move has nothing with it.
  bool is_bare() const { return nag == 0 && !has_junk && !ends_game; }
};

// Reads the word that the lexer returned last, and "(Q)" right after it. The page decodes what is
// no UTF-8.
Word read_word(std::string_view text, Lexer& lexer, CodePage page);

// Say in one line of clean UTF-8 that a word was passed over, and that the next move of a line
// could not be read. Of long words only the beginning is named.
std::string describe_junk(std::string_view text, CodePage page);
// Says the same of signs around a move.
std::string describe_signs(std::string_view word, CodePage page);
std::string describe_fault(const Line& line, std::string_view word, Line::Reading reading,
                           CodePage page);

}  // namespace scidfs::codec::pgn_reader
