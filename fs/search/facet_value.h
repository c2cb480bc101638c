// The text after the `=` of a facet, before a key interprets it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fs/base/wildcards.h"

namespace scidfs::fs {

// Returns the text of a value: `_` is a blank, %XX a byte. `*` and `?` are wildcards if `wildcards`
// (fs/base/wildcards.h), otherwise literal. Control characters become blanks. Returns nothing if
// two hexadecimal digits do not follow a %.
std::optional<std::string> unescape_value(std::string_view value, bool wildcards);

// Does the reverse: returns the shortest value of a text with wildcards. The value has no `/` and
// no `~`, and does not begin with `_`.
std::string escape_value(std::string_view text);

}  // namespace scidfs::fs
