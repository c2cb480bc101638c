#include "codec/pgn_reader/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "codec/pgn_reader/glyphs.h"
#include "codec/pgn_reader/typography.h"

namespace scidfs::codec::pgn_reader {
namespace {

constexpr std::size_t kMostOfWord = 24;  // bytes

// Returns whether a word can only be meant as a move: it has a digit, or no letters and signs but
// those of moves ("exd", "BxN", "O-O").
bool must_be_move(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos ||
         (word.find_first_not_of("KQRBNPOabcdefghox:-+#") == std::string_view::npos &&
          has_letters(word));
}

// Reads what follows the name of a move: nothing, check marks, "e.p.", a glyph, a result, or signs
// that say nothing. Returns false if it is something else.
bool read_rest(std::string_view rest, Word& word) {
  if (says_nothing(rest)) return true;
  const std::string_view unchecked =
      rest.substr(std::min(rest.find_first_not_of("+#"), rest.size()));
  std::optional<std::uint8_t> nag = nag_of_glyph(rest);
  if (!nag.has_value()) nag = nag_of_glyph(unchecked);
  word.nag = nag.value_or(0);
  if (nag.has_value()) return true;
  if (const std::optional<Result> result = result_of_word(unchecked)) {
    word.ends_game = true;
    word.result = *result;
    return true;
  }
  word.has_junk = !has_letters(rest);
  return word.has_junk;
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

// Reads a word that is not the name of a move alone, but may begin with one.
Word read_long_word(std::string_view text, const std::optional<MoveName>& name) {
  if (!name.has_value()) return read_other_word(text);
  Word word{.kind = Word::Kind::Move, .name = *name};
  if (!read_rest(text.substr(name->length), word)) word.kind = Word::Kind::NoMove;
  return word;
}

// Reads a word of UTF-8: signs before a move say nothing.
Word read_plain_word(std::string_view text) {
  const Word word = read_long_word(text, parse_move_name(text));
  if (word.kind != Word::Kind::NoMove && word.kind != Word::Kind::Unknown) return word;
  // A man that is dropped is no move.
  if (text.find('@') != std::string_view::npos) return word;
  text = without_leading_signs(text);
  Word move = read_long_word(text, parse_move_name(text));
  move.has_junk = true;
  return move.kind == Word::Kind::Move ? move : word;
}

std::string named(std::string_view word, CodePage page) {
  return clean_line(word.substr(0, kMostOfWord), page);
}

}  // namespace

Word read_word(std::string_view text, Lexer& lexer, CodePage page) {
  const std::optional<MoveName> name = parse_move_name(text);
  if (!name.has_value() || name->length != text.size()) {
    const bool is_plain = std::ranges::all_of(text, [](char c) { return is_ascii(c) && c != ' '; });
    return is_plain ? read_long_word(text, name) : read_plain_word(plain_word(text, page));
  }
  Word word{.kind = Word::Kind::Move, .name = *name};
  const bool may_promote = name->piece == PieceType::Pawn && name->promotion == PieceType::None &&
                           (rank_of(name->to) == 0 || rank_of(name->to) == 7);
  if (may_promote) [[unlikely]] {
    if (const char letter = lexer.take_promotion()) word.name.promotion = promotion_of(letter);
  }
  return word;
}

std::string describe_junk(std::string_view text, CodePage page) {
  return fmt::format("passed over: {}", named(text, page));
}

std::string describe_signs(std::string_view word, CodePage page) {
  return fmt::format("passed over signs that say nothing: {}", named(word, page));
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
