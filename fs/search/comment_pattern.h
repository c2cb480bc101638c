// Words in comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"
#include "fs/base/glob.h"

namespace scidfs::fs {

// Whole words, with blanks between them, in a comment as PGN shows it: valid UTF-8, runs of blanks
// and line ends one blank, `}` a `)`. Immutable.
class CommentPattern {
 public:
  // Of a text with wildcards. Nothing if there is nothing but blanks in it, or if it is too long
  // (Glob::kMostBytes).
  static std::optional<CommentPattern> parse(std::string_view text);

  const std::string& text() const { return glob_.text(); }
  // How many times as long as a short pattern a look at a comment takes at most.
  std::size_t cost() const { return glob_.cost(); }

 private:
  friend class CommentMatcher;
  explicit CommentPattern(Glob glob) : glob_(std::move(glob)) {}

  Glob glob_;
};

// Looks for the words of a pattern in comments. For one thread.
class CommentMatcher {
 public:
  // In comments of records, which have that code page.
  CommentMatcher(const CommentPattern& pattern, codec::CodePage page)
      : matcher_(pattern.glob_), page_(page) {}

  // Whether the words are in a comment, as the game's record has it.
  bool matches(codec::Bytes comment);

 private:
  GlobMatcher matcher_;
  codec::CodePage page_;
  std::string room_;
};

}  // namespace scidfs::fs
