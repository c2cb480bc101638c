// Names of members: what they say, and which are safe.
#pragma once

#include <string>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec::scv {

// A name or value as UTF-8: as it stands if it is that, else as ISO 8859-1 (section 3.2).
std::string to_utf8(std::string_view bytes);

// Whether a name starts with the scheme of a URL, as in `http://`.
bool is_url(std::string_view name);

}  // namespace scidfs::codec::scv
