// The code pages beyond those that codec has.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/text.h"

namespace scidfs::fs {

// Returns the code page with a number, such as 437, 866 or 932; nothing if there is none, or it is
// none of ASCII and more, in one or two bytes. The page is valid until the end of the program.
std::optional<codec::CodePage> find_code_page(std::uint16_t number);

}  // namespace scidfs::fs
