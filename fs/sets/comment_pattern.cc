#include "fs/sets/comment_pattern.h"

#include "codec/text.h"
#include "fs/sets/facet_value.h"

namespace scidfs::fs {
namespace {

constexpr bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; }
constexpr bool is_wildcard(char c) { return c == kAnyCharacter || c == kAnyCharacters; }

}  // namespace

std::optional<CommentPattern> CommentPattern::parse(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    if (!is_blank(c) || is_wildcard(c)) {
      clean += c == '}' ? ')' : c;
    } else if (!clean.empty() && clean.back() != ' ') {
      clean += ' ';
    }
  }
  if (clean.ends_with(' ')) clean.pop_back();
  Glob glob(clean);
  if (glob.text().empty()) return std::nullopt;
  return CommentPattern(std::move(glob));
}

bool CommentPattern::matches(codec::Bytes comment, std::string& room) const {
  room.clear();
  if (codec::is_utf8(comment)) {
    room += codec::as_text(comment);
  } else {
    codec::append_utf8(comment, room);
  }
  char* out = room.data();
  bool after_blank = false;
  for (const char c : room) {
    if (!is_blank(c)) {
      *out++ = c == '}' ? ')' : c;
    } else if (!after_blank) {
      *out++ = ' ';
    }
    after_blank = is_blank(c);
  }
  room.resize(static_cast<std::size_t>(out - room.data()));
  fold_text_in_place(room);
  return glob_.matches_words(room);
}

}  // namespace scidfs::fs
