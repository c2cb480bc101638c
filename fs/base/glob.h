// Texts with wildcards, compared without regard to case and accents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/piece_search.h"

namespace scidfs::fs {

// Returns the text in the form used for comparison: case folded, without accents, `_` replaced by
// blanks, since file names have `_` for both. Valid UTF-8 stays valid; other bytes may stay as they
// are.
std::string fold_text(std::string_view text);
// Folds `text` in place. ASCII costs only one look at each byte.
void fold_text_in_place(std::string& text);

// A pattern of characters, in which `?` matches any one character and `*` any number of them.
// Immutable, and small.
class Glob {
 public:
  // The maximum length of a folded pattern; callers must not use a longer one. No directory name is
  // longer.
  static constexpr std::size_t kMostBytes = 255;

  // Makes a pattern of a text with wildcards (fs/base/wildcards.h) in any encoding.
  explicit Glob(std::string_view text);

  // Returns the pattern with its wildcards. Patterns that differ only in case, accents, or how
  // adjacent wildcards are written have the same text.
  const std::string& text() const { return text_; }
  bool is_too_long() const { return text_.size() > kMostBytes; }
  // Returns the maximum cost of a look at a text, as a multiple of the cost of a short pattern.
  std::size_t cost() const { return std::max<std::size_t>(1, (text_.size() + 63) / 64); }
  // Returns the text that matches must begin with; the whole pattern if is_plain().
  std::string_view prefix() const { return std::string_view(text_).substr(0, prefix_size_); }
  // Returns whether the pattern has no wildcards.
  bool is_plain() const { return prefix_size_ == text_.size(); }

 private:
  std::string text_;
  std::size_t prefix_size_ = 0;
};

// Compares folded texts with a pattern, each in time that grows only with the length of the text.
// Immutable.
class GlobMatcher {
 public:
  // REQUIRES: the pattern is not too long.
  explicit GlobMatcher(const Glob& glob);

  // Returns whether the whole of a folded text matches the pattern.
  bool matches(std::string_view folded) const;
  // Returns whether the pattern matches a part of a folded text that begins and ends at a word
  // boundary: not between two letters or digits. With a `*` at an end of the pattern, that end may
  // lie anywhere.
  bool matches_words(std::string_view folded) const;

 private:
  // The parts between the `*`; at least one. Inner pieces are not empty.
  std::vector<std::string> pieces_;
  PieceSearch search_;
};

}  // namespace scidfs::fs
