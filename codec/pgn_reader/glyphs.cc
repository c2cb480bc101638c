#include "codec/pgn_reader/glyphs.h"

#include <algorithm>
#include <array>

namespace scidfs::codec::pgn_reader {
namespace {

struct Glyph {
  std::string_view text;
  std::uint8_t nag;
};

constexpr std::array kGlyphs = {
    // As Scid reads them.
    Glyph{"=", 10}, Glyph{"~", 13}, Glyph{"+=", 14}, Glyph{"+/=", 14}, Glyph{"=+", 15},
    Glyph{"=/+", 15}, Glyph{"+/-", 16}, Glyph{"-/+", 17}, Glyph{"+-", 18}, Glyph{"-+", 19},
    Glyph{"+--", 20}, Glyph{"zz", 23}, Glyph{"~=", 44}, Glyph{"R", 144}, Glyph{"RR", 145},
    Glyph{"N", 146}, Glyph{"x", 147}, Glyph{"/\\", 150}, Glyph{"/", 150}, Glyph{"BB", 151},
    Glyph{"oo", 193}, Glyph{"D", 201}, Glyph{"|_", 214},
    // As Scid and books print them.
    Glyph{"=/&", 44}, Glyph{"=/∞", 44}, Glyph{"□", 7}, Glyph{"∞", 13}, Glyph{"⩲", 14},
    Glyph{"⩱", 15}, Glyph{"±", 16}, Glyph{"∓", 17}, Glyph{"⨀", 22}, Glyph{"⊙", 22}, Glyph{"○", 26},
    Glyph{"⟳", 32}, Glyph{"↑", 36}, Glyph{"→", 40}, Glyph{"⇆", 132}, Glyph{"⇄", 132},
    Glyph{"⊕", 138}, Glyph{"⨁", 138}, Glyph{"∆", 140}, Glyph{"△", 140}, Glyph{"⌓", 142}};

struct ResultWord {
  std::string_view text;
  Result result;
};

// Those of half a point each are seen behind "0.", which looks like a number and its dot.
constexpr std::array kResults = {
    ResultWord{"1-0", Result::WhiteWins}, ResultWord{"1:0", Result::WhiteWins},
    ResultWord{"0-1", Result::BlackWins}, ResultWord{"0:1", Result::BlackWins},
    ResultWord{"1/2-1/2", Result::Draw},  ResultWord{"1/2:1/2", Result::Draw},
    ResultWord{"1/2", Result::Draw},      ResultWord{"½-½", Result::Draw},
    ResultWord{"½:½", Result::Draw},      ResultWord{"½", Result::Draw},
    ResultWord{"5-0.5", Result::Draw},    ResultWord{"5-.5", Result::Draw},
    ResultWord{",5-0,5", Result::Draw}};

template <std::size_t kSize>
bool contains(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::optional<std::uint8_t> nag_of_glyph(std::string_view word) {
  if (word.starts_with('!')) return word.size() == 1 ? 1 : word[1] == '!' ? 3 : 5;
  if (word.starts_with('?')) return word.size() == 1 ? 2 : word[1] == '?' ? 4 : 6;
  const auto* const found = std::ranges::find(kGlyphs, word, &Glyph::text);
  if (found == kGlyphs.end()) return std::nullopt;
  return found->nag;
}

bool is_null_move(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords = {"--", "Z0", "null", "pass", "@@@@", "0000"};
  return contains(kWords, word.substr(0, word.find_last_not_of("+#") + 1));
}

std::optional<Result> result_of_word(std::string_view word) {
  while (word.ends_with('.') || word.ends_with(',')) word.remove_suffix(1);
  const auto* const found = std::ranges::find(kResults, word, &ResultWord::text);
  if (found == kResults.end()) return std::nullopt;
  return found->result;
}

bool says_nothing(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords = {"e.p.", "e.p", "ep",  "ep.",     "e.",
                                                       "p.",   "ch",  "ch.", "dis.ch.", "dbl.ch.",
                                                       "mate", ".",   ",",   "..."};
  word.remove_prefix(std::min(word.find_first_not_of("+#"), word.size()));
  word = word.substr(0, word.find_last_not_of("+#") + 1);
  return word.empty() || contains(kWords, word);
}

}  // namespace scidfs::codec::pgn_reader
