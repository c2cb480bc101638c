// What stands after the `=` of a facet, before anybody knows what it means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fs/base/wildcards.h"

namespace scidfs::fs {

// The text that a value stands for: `_` is a blank, %XX a byte; `*` and `?` are wildcards if
// `wildcards` (fs/base/wildcards.h), otherwise themselves. Control characters become blanks.
// Nothing if a % is not followed by two hexadecimal digits.
std::optional<std::string> unescape_value(std::string_view value, bool wildcards);

// The same backwards: the shortest value of a text with wildcards. It has no `/` and no `~`, and
// does not begin with `_`.
std::string escape_value(std::string_view text);

}  // namespace scidfs::fs
