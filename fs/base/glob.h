// Texts with wildcards, compared as people do: without regard to case and accents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/piece_search.h"

namespace scidfs::fs {

// The text by which others are compared: case folded, accents left out, blanks for `_`, since names
// of files have `_` for both. Valid UTF-8 stays that.
std::string fold_text(std::string_view text);
// The same in place. ASCII costs no more than a look at each byte.
void fold_text_in_place(std::string& text);

// A pattern of characters, of which `?` stands for any one and `*` for any number. Immutable, and
// small.
class Glob {
 public:
  // A longer pattern, folded, is not to be used: no name of a directory is longer.
  static constexpr std::size_t kMostBytes = 255;

  // Of a text with wildcards (fs/base/wildcards.h) in any encoding.
  explicit Glob(std::string_view text);

  // The pattern with its wildcards: the same for patterns that differ in case, accents, or in how
  // wildcards side by side are put.
  const std::string& text() const { return text_; }
  bool is_too_long() const { return text_.size() > kMostBytes; }
  // How many times as long as a short pattern a look at a text takes at most.
  std::size_t cost() const { return std::max<std::size_t>(1, (text_.size() + 63) / 64); }
  // What a text must begin with; all of it if is_plain().
  std::string_view prefix() const { return std::string_view(text_).substr(0, prefix_size_); }
  // Whether there are no wildcards.
  bool is_plain() const { return prefix_size_ == text_.size(); }

 private:
  std::string text_;
  std::size_t prefix_size_ = 0;
};

// Holds folded texts against a pattern, each in time that grows with its length alone. Immutable.
class GlobMatcher {
 public:
  // REQUIRES: it is not too long.
  explicit GlobMatcher(const Glob& glob);

  // Whether all of a folded text is as the pattern wants.
  bool matches(std::string_view folded) const;
  // Whether a part of a folded text is that begins and ends where a word may: not between two
  // letters or digits. A `*` at an end of the pattern makes that end lie anywhere.
  bool matches_words(std::string_view folded) const;

 private:
  // Between the `*`; there is at least one. Those inside are not empty.
  std::vector<std::string> pieces_;
  PieceSearch search_;
};

}  // namespace scidfs::fs
