#include "codec/pgn_reader/words.h"

#include <fmt/format.h>

#include <optional>

#include "codec/pgn_reader/glyphs.h"

namespace scidfs::codec::pgn_reader {
namespace {

constexpr std::size_t kMostOfWord = 24;  // bytes

// Returns whether a word can only be meant as a move: it has a digit, or no letters and signs but
// those of moves ("exd", "BxN", "O-O").
bool must_be_move(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos ||
         word.find_first_not_of("KQRBNPOabcdefghox:-+#") == std::string_view::npos;
}

// Reads what follows the name of a move: nothing, check marks, "e.p.", a glyph. Returns false if it
// is something else.
bool read_rest(std::string_view rest, Word& word) {
  if (says_nothing(rest)) return true;
  std::optional<std::uint8_t> nag = nag_of_glyph(rest);
  if (!nag.has_value()) {
    nag = nag_of_glyph(rest.substr(std::min(rest.find_first_not_of("+#"), rest.size())));
  }
  word.nag = nag.value_or(0);
  return nag.has_value();
}

// Returns the piece type that a letter in brackets names.
PieceType promotion_of(char letter) {
  const MoveName name = parse_move_name(std::string("e8=") + letter).value_or(MoveName{});
  return name.promotion;
}

[[gnu::noinline]] Word read_other_word(std::string_view text) {
  Word word;
  if (const std::optional<Result> result = result_of_word(text)) {
    word.kind = Word::Kind::Result;
    word.result = *result;
  } else if (is_null_move(text)) {
    word.kind = Word::Kind::NullMove;
  } else if (const std::optional<std::uint8_t> nag = nag_of_glyph(text)) {
    word.kind = Word::Kind::Glyph;
    word.nag = *nag;
  } else if (says_nothing(text)) {
    word.kind = Word::Kind::Nothing;
  } else if (must_be_move(text)) {
    word.kind = Word::Kind::NoMove;
  }
  return word;
}

std::string named(std::string_view word, CodePage page) {
  return clean_line(word.substr(0, kMostOfWord), page);
}

}  // namespace

Word read_word(std::string_view text, Lexer& lexer) {
  const std::optional<MoveName> name = parse_move_name(text);
  if (!name.has_value()) return read_other_word(text);
  Word word{.kind = Word::Kind::Move, .name = *name};
  if (name->length == text.size()) {
    const bool may_promote = name->piece == PieceType::Pawn && name->promotion == PieceType::None &&
                             (rank_of(name->to) == 0 || rank_of(name->to) == 7);
    if (may_promote) [[unlikely]] {
      if (const char letter = lexer.take_promotion()) word.name.promotion = promotion_of(letter);
    }
    return word;
  }
  if (!read_rest(text.substr(name->length), word)) word.kind = Word::Kind::NoMove;
  return word;
}

std::string describe_junk(std::string_view text, CodePage page) {
  return fmt::format("passed over: {}", named(text, page));
}

std::string describe_fault(const Line& line, std::string_view word, Line::Reading reading,
                           CodePage page) {
  const Position& position = line.position();
  return fmt::format("{} move {}{}{}: the rest of the {} is left out",
                     reading == Line::Reading::Ambiguous ? "ambiguous" : "illegal",
                     position.move_number(), position.side_to_move() == Color::White ? "." : "...",
                     named(word, page), line.is_variation() ? "variation" : "game");
}

}  // namespace scidfs::codec::pgn_reader
