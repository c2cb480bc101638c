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
  std::uint8_t nag = 0;  // 0: none
  Result result = Result::Unknown;
  MoveName name;
};

// Reads the word that the lexer returned last, and "(Q)" right after it.
Word read_word(std::string_view text, Lexer& lexer);

// Say in one line of clean UTF-8 that a word was passed over, and that the next move of a line
// could not be read. Of long words only the beginning is named.
std::string describe_junk(std::string_view text, CodePage page);
std::string describe_fault(const Line& line, std::string_view word, Line::Reading reading,
                           CodePage page);

}  // namespace scidfs::codec::pgn_reader
