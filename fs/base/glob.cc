#include "fs/base/glob.h"

#include <algorithm>
#include <cassert>

#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/base/wildcards.h"

namespace scidfs::fs {
namespace {

using codec::is_ascii;

constexpr std::size_t kNowhere = PieceSearch::kNowhere;

// Returns the end of the character at a place of valid UTF-8.
std::size_t end_of_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && codec::continues_character(text[at])) ++at;
  return at;
}

std::size_t begin_of_character(std::string_view text, std::size_t end) {
  --end;
  while (end > 0 && codec::continues_character(text[end])) --end;
  return end;
}

// Returns the end of a piece that begins at a place of the text; kNowhere if it does not match.
std::size_t match_at(std::string_view text, std::size_t at, std::string_view piece) {
  for (const char c : piece) {
    if (at == text.size()) return kNowhere;
    if (c == kAnyCharacter) {
      at = end_of_character(text, at);
    } else if (text[at++] != c) {
      return kNowhere;
    }
  }
  return at;
}

// Returns the beginning of a piece that ends with the text; kNowhere if it does not match.
std::size_t match_end(std::string_view text, std::string_view piece) {
  std::size_t at = text.size();
  for (std::size_t i = piece.size(); i != 0; --i) {
    if (at == 0) return kNowhere;
    if (piece[i - 1] == kAnyCharacter) {
      at = begin_of_character(text, at);
    } else if (text[--at] != piece[i - 1]) {
      return kNowhere;
    }
  }
  return at;
}

bool is_word_character(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_ascii(c)) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  std::string_view rest = text.substr(at);
  return codec::is_letter_or_digit(codec::take_code_point(rest));
}

bool is_border(std::string_view text, std::size_t at) {
  return at == 0 || at == text.size() || !is_word_character(text, at) ||
         !is_word_character(text, begin_of_character(text, at));
}

// Appends the letters of a non-ASCII run without their accents; a run that is not UTF-8 as it is.
void append_without_accents(std::string_view run, std::string& out) {
  if (!codec::is_utf8(codec::as_bytes(run))) {
    out += run;
    return;
  }
  while (!run.empty()) {
    const char32_t letter = codec::without_accents(codec::take_code_point(run));
    if (letter != 0) codec::append_code_point(letter, out);
  }
}

// Sorts adjacent wildcards: `?` first, then one `*` if there is any.
std::string sort_wildcards(std::string_view text) {
  std::string sorted;
  bool any = false;
  for (const char c : text) {
    if (any && c != kAnyCharacter && c != kAnyCharacters) {
      sorted += kAnyCharacters;
      any = false;
    }
    if (c == kAnyCharacters) {
      any = true;
    } else {
      sorted += c;
    }
  }
  if (any) sorted += kAnyCharacters;
  return sorted;
}

}  // namespace

void fold_text_in_place(std::string& text) {
  codec::fold_case_in_place(text);
  std::ranges::replace(text, '_', ' ');
  if (std::ranges::all_of(text, is_ascii)) [[likely]]
    return;
  std::string folded;
  folded.reserve(text.size());
  for (auto at = text.cbegin(); at != text.cend();) {
    const auto beyond = std::find_if_not(at, text.cend(), is_ascii);
    folded.append(at, beyond);
    at = std::find_if(beyond, text.cend(), is_ascii);
    append_without_accents({beyond, at}, folded);
  }
  text = std::move(folded);
}

std::string fold_text(std::string_view text) {
  std::string folded(text);
  fold_text_in_place(folded);
  return folded;
}

Glob::Glob(std::string_view text) {
  std::string clean;
  codec::append_utf8(codec::as_bytes(text), clean);
  fold_text_in_place(clean);
  text_ = sort_wildcards(clean);
  prefix_size_ = std::min(text_.find_first_of({kAnyCharacter, kAnyCharacters}), text_.size());
}

GlobMatcher::GlobMatcher(const Glob& glob) {
  assert(!glob.is_too_long());
  std::string_view rest = glob.text();
  for (std::size_t star = 0; star != kNowhere;) {
    star = rest.find(kAnyCharacters);
    pieces_.emplace_back(rest.substr(0, star));
    if (star != kNowhere) rest.remove_prefix(star + 1);
  }
  search_ = PieceSearch(pieces_);
}

bool GlobMatcher::matches(std::string_view folded) const {
  std::size_t at = match_at(folded, 0, pieces_.front());
  if (pieces_.size() == 1) return at == folded.size();
  constexpr auto kAnywhere = [](std::size_t) { return true; };
  for (std::size_t i = 1; i + 1 < pieces_.size() && at != kNowhere; ++i) {
    at = search_.find(folded, i, at, kAnywhere, kAnywhere);
  }
  if (at == kNowhere) return false;
  const std::size_t last = match_end(folded, pieces_.back());
  return last != kNowhere && last >= at;
}

bool GlobMatcher::matches_words(std::string_view folded) const {
  // Matches each piece as early as possible: that leaves the most text to the next ones.
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces_.size() && at != kNowhere; ++i) {
    if (pieces_[i].empty()) continue;
    at = search_.find(
        folded, i, at, [&](std::size_t begin) { return i != 0 || is_border(folded, begin); },
        [&](std::size_t end) { return i + 1 != pieces_.size() || is_border(folded, end); });
  }
  return at != kNowhere;
}

}  // namespace scidfs::fs
