// Conditions on the tags of games.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <utility>

#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// A pattern for the values of a tag that is not in the index. `_unknown` means the games without a
// known value; no other pattern does. Immutable.
class TagPattern {
 public:
  // Parses `Annotator,Nunn*`: the name of a tag, whose case counts, and a pattern as for names.
  // Errors: InvalidArgument, with a reason for users.
  static absl::StatusOr<TagPattern> parse(std::string_view text);

  const std::string& tag() const { return tag_; }
  const NamePattern& pattern() const { return pattern_; }
  // Returns the text in its canonical form.
  std::string text() const { return tag_ + ',' + pattern_.value(); }

 private:
  TagPattern(std::string_view tag, NamePattern pattern) : tag_(tag), pattern_(std::move(pattern)) {}

  std::string tag_;
  NamePattern pattern_;
};

}  // namespace scidfs::fs
