// Names of members: their text, and which are safe.
#pragma once

#include <string>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec::scv {

// Returns a name or value as UTF-8: unchanged if it is UTF-8, else read as ISO 8859-1 (section
// 3.2).
std::string to_utf8(std::string_view bytes);

// Returns whether a name starts with the scheme of a URL, as in `http://`.
bool is_url(std::string_view name);

}  // namespace scidfs::codec::scv
