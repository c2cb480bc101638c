// Words in comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"
#include "fs/sets/glob.h"

namespace scidfs::fs {

// Whole words, with blanks between them, in a comment as PGN shows it: valid UTF-8, runs of blanks
// and line ends one blank, `}` a `)`. Immutable.
class CommentPattern {
 public:
  // Of a text with wildcards. Nothing if there is nothing but blanks in it.
  static std::optional<CommentPattern> parse(std::string_view text);

  const std::string& text() const { return glob_.text(); }

  // Whether the words are in a comment, as the game's record has it in this code page. `room` is
  // working room.
  bool matches(codec::Bytes comment, codec::CodePage page, std::string& room) const;

 private:
  explicit CommentPattern(Glob glob) : glob_(std::move(glob)) {}

  Glob glob_;
};

}  // namespace scidfs::fs
