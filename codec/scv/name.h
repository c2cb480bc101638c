// Names of members: which are safe, which are the same.
#pragma once

#include <string>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec::scv {

// A name or value as UTF-8: as it stands if it is that, else as ISO 8859-1 (section 3.2).
std::string to_utf8(std::string_view bytes);

// The same for names that differ in nothing but case: letters of Latin, Greek, Cyrillic and
// Armenian scripts as small ones, the rest as it is. REQUIRES: UTF-8.
std::string fold_case(std::string_view text);

// Whether a name starts with the scheme of a URL, as in `http://`.
bool is_url(std::string_view name);

}  // namespace scidfs::codec::scv
