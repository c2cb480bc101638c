// Words in comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"
#include "fs/base/glob.h"

namespace scidfs::fs {

// A pattern of whole words, separated by blanks, in a comment as PGN shows it: valid UTF-8, each
// run of blanks and line ends made one blank, each `}` made `)`. Immutable.
class CommentPattern {
 public:
  // Parses a text with wildcards. Returns nothing if the text has only blanks or is too long
  // (Glob::kMostBytes).
  static std::optional<CommentPattern> parse(std::string_view text);

  const std::string& text() const { return glob_.text(); }
  // Returns at most how many times as long as with a short pattern it takes to look at a comment.
  std::size_t cost() const { return glob_.cost(); }

 private:
  friend class CommentMatcher;
  explicit CommentPattern(Glob glob) : glob_(std::move(glob)) {}

  Glob glob_;
};

// A search for the words of a pattern in comments. For one thread.
class CommentMatcher {
 public:
  // Searches comments of records, which use the code page `page`.
  CommentMatcher(const CommentPattern& pattern, codec::CodePage page)
      : matcher_(pattern.glob_), page_(page) {}

  // Returns whether a comment, as the game's record has it, contains the words.
  bool matches(codec::Bytes comment);

 private:
  GlobMatcher matcher_;
  codec::CodePage page_;
  std::string room_;
};

}  // namespace scidfs::fs
