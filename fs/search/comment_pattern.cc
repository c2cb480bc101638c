#include "fs/search/comment_pattern.h"

#include <array>

#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/search/facet_value.h"

namespace scidfs::fs {
namespace {

constexpr bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; }
constexpr bool is_wildcard(char c) { return c == kAnyCharacter || c == kAnyCharacters; }

// For each byte of a comment, the byte to compare it as, if it is ASCII.
constexpr std::array<char, 256> kCompared = [] {
  std::array<char, 256> compared{};
  for (std::size_t byte = 0; byte < compared.size(); ++byte) {
    const char c = static_cast<char>(byte);
    compared[byte] = is_blank(c) || c == '_' ? ' ' : c == '}' ? ')' : codec::to_ascii_lower(c);
  }
  return compared;
}();

// Makes each run of blanks one blank, and ASCII letters lower case. Returns whether all of the text
// is ASCII.
bool clean(std::string& text) {
  unsigned char all = 0;
  bool after_blank = false;
  char* out = text.data();
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    all |= byte;
    *out = kCompared[byte];
    const bool blank = *out == ' ';
    out += blank && after_blank ? 0 : 1;
    after_blank = blank;
  }
  text.resize(static_cast<std::size_t>(out - text.data()));
  return all < 0x80;
}

}  // namespace

std::optional<CommentPattern> CommentPattern::parse(std::string_view text) {
  // Fold first: this removes accents without a letter and merges the blanks around them.
  std::string folded;
  codec::append_utf8(codec::as_bytes(text), folded);
  fold_text_in_place(folded);
  std::string clean;
  for (const char c : folded) {
    if (!is_blank(c) || is_wildcard(c)) {
      clean += c == '}' ? ')' : c;
    } else if (!clean.empty() && clean.back() != ' ') {
      clean += ' ';
    }
  }
  if (clean.ends_with(' ')) clean.pop_back();
  Glob glob(clean);
  if (glob.text().empty() || glob.is_too_long()) return std::nullopt;
  return CommentPattern(std::move(glob));
}

bool CommentMatcher::matches(codec::Bytes comment) {
  room_ = codec::as_text(comment);
  // Most comments are ASCII; one pass is enough for these.
  if (!clean(room_)) [[unlikely]] {
    if (!codec::is_clean_utf8(comment)) {
      room_.clear();
      codec::append_utf8(comment, room_, page_);
    }
    fold_text_in_place(room_);
    clean(room_);
  }
  return matcher_.matches_words(room_);
}

}  // namespace scidfs::fs
