#include "codec/pgn_reader/typography.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "codec/unicode.h"

namespace scidfs::codec::pgn_reader {
namespace {

// Those of UTF-8; and of code pages, in a text that is none.
constexpr auto kPartings = std::to_array<std::string_view>(
    {"\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
     "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u200B", "\u2026",
     "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"});
constexpr std::string_view kPartingsOfPages = "\xA0\x85";

struct Sign {
  char32_t code;
  std::string_view plain;
};

constexpr std::array kSigns = {
    Sign{0x00AD, ""},   Sign{0x00D7, "x"},  Sign{0x2010, "-"},  Sign{0x2011, "-"},
    Sign{0x2012, "-"},  Sign{0x2013, "-"},  Sign{0x2014, "-"},  Sign{0x2015, "-"},
    Sign{0x2020, "+"},  Sign{0x2021, "#"},  Sign{0x203C, "!!"}, Sign{0x2044, "/"},
    Sign{0x2047, "??"}, Sign{0x2048, "?!"}, Sign{0x2049, "!?"}, Sign{0x2212, "-"},
    Sign{0x2215, "/"},  Sign{0x2715, "x"},  Sign{0xFE0E, ""},   Sign{0xFE0F, ""}};

// Returns whether a character only says how those around it are shown.
constexpr bool is_invisible(char32_t code) {
  return (code >= 0x200C && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2064) || (code >= 0x2066 && code <= 0x2069);
}

void append_plain(char32_t code, std::string& out) {
  constexpr char32_t kWhiteKing = 0x2654, kBlackPawn = 0x265F;
  constexpr char32_t kWide = 0xFF01, kWideEnd = 0xFF5E;  // forms of ASCII for texts of the east
  constexpr std::string_view kFigurines = "KQRBNP";
  const auto* const sign = std::ranges::find(kSigns, code, &Sign::code);
  if (sign != kSigns.end()) {
    out += sign->plain;
  } else if (code >= kWhiteKing && code <= kBlackPawn) {
    out += kFigurines[(code - kWhiteKing) % kFigurines.size()];
  } else if (code >= kWide && code <= kWideEnd) {
    out += static_cast<char>(code - kWide + '!');
  } else if (code != ' ' && !is_invisible(code)) {
    append_code_point(code, out);
  }
}

// Returns the length of blanks and partings at the front of a text.
std::size_t gap_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::size_t step = text[length] == ' ' ? 1 : parting_at(text.substr(length));
    if (step == 0) break;
    length += step;
  }
  return length;
}

// Returns false if digits and a dash are surely followed by no blank.
bool may_be_spaced(std::string_view text) {
  if (!is_ascii(text.front())) return true;
  std::size_t at = text.find_first_not_of("0125/");
  if (at < text.size() && text[at] == '-') ++at;
  return at < text.size() && (text[at] == ' ' || !is_ascii(text[at]));
}

}  // namespace

std::size_t character_length(std::string_view text) {
  assert(!text.empty());
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return length <= text.size() && is_utf8(as_bytes(text.substr(0, length))) ? length : 1;
}

std::size_t wide_parting_at(std::string_view text) {
  for (const std::string_view parting : kPartings) {
    if (text.starts_with(parting)) return parting.size();
  }
  return kPartingsOfPages.find(text.front()) == std::string_view::npos ? 0 : 1;
}

std::size_t wide_parting_before(std::string_view text) {
  for (const std::string_view parting : kPartings) {
    if (text.ends_with(parting)) return parting.size();
  }
  const bool is_alone = text.size() < 2 || is_ascii(text[text.size() - 2]);
  return is_alone && kPartingsOfPages.find(text.back()) != std::string_view::npos ? 1 : 0;
}

std::string plain_word(std::string_view word, CodePage page) {
  std::string decoded, plain;
  append_utf8(as_bytes(word), decoded, page);
  for (std::string_view rest = decoded; !rest.empty();) {
    if (const std::size_t parting = parting_at(rest)) {
      rest.remove_prefix(parting);
    } else {
      append_plain(take_code_point(rest), plain);
    }
  }
  return plain;
}

std::size_t spaced_result(std::string_view text) {
  constexpr std::size_t kMostOfResult = 32;  // bytes
  constexpr auto kHalves = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"1", "0"}, {"0", "1"}, {"1/2", "1/2"}, {"½", "½"}, {"5", "0.5"}});  // "0." is a number
  text = text.substr(0, kMostOfResult);
  if (text.empty() || !may_be_spaced(text)) return 0;
  for (const auto& [first, second] : kHalves) {
    if (!text.starts_with(first)) continue;
    std::size_t at = first.size();
    const std::size_t before = gap_length(text.substr(at));
    at += before;
    if (at == text.size() || (is_ascii(text[at]) && text[at] != '-')) continue;
    const std::size_t dash = character_length(text.substr(at));
    if (plain_word(text.substr(at, dash), CodePage::Windows1252) != "-") continue;
    at += dash;
    const std::size_t after = gap_length(text.substr(at));
    at += after;
    if (before + after == 0 || !text.substr(at).starts_with(second)) continue;
    at += second.size();
    const bool is_end = at == text.size() || static_cast<unsigned char>(text[at]) <= ' ' ||
                        text[at] == '[' || parting_at(text.substr(at)) != 0;
    if (is_end) return at;
  }
  return 0;
}

bool has_letters(std::string_view text) { return !without_leading_signs(text).empty(); }

std::string_view without_leading_signs(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    text = rest;
    if (is_letter_or_digit(take_code_point(rest))) return text;
  }
  return {};
}

}  // namespace scidfs::codec::pgn_reader
