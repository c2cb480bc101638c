// Texts with wildcards, compared as people do: without regard to case and accents.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// The text by which others are compared: case folded, accents left out, blanks for `_`, since names
// of files have `_` for both. Valid UTF-8 stays that.
std::string fold_text(std::string_view text);
// The same in place. ASCII costs no more than a look at each byte.
void fold_text_in_place(std::string& text);

// A pattern of characters, of which `?` stands for any one and `*` for any number. It matches
// folded texts. Immutable.
class Glob {
 public:
  // Of a text with wildcards (fs/sets/facet_value.h) in any encoding.
  explicit Glob(std::string_view text);

  // The pattern with its wildcards: the same for patterns that differ in case, accents, or in how
  // wildcards side by side are put.
  const std::string& text() const { return text_; }
  // What a text must begin with; all of it if is_plain().
  std::string_view prefix() const { return prefix_; }
  // Whether there are no wildcards.
  bool is_plain() const { return prefix_.size() == text_.size(); }

  // Whether all of a folded text is as the pattern wants.
  bool matches(std::string_view folded) const;
  // Whether a part of a folded text is that begins and ends where a word may: not between two
  // letters or digits. A `*` at an end of the pattern makes that end lie anywhere.
  bool matches_words(std::string_view folded) const;

 private:
  std::string text_;
  std::string prefix_;
  // Between the `*`; there is at least one. Those inside are not empty.
  std::vector<std::string> pieces_;
};

}  // namespace scidfs::fs
