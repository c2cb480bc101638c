// The code pages that iconv knows.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/text.h"

namespace scidfs::fs {

// Returns the code page with a number, such as 437, 866 or 932; nothing if this system does not
// know it, or it is none of ASCII and more, in one or two bytes. Asks iconv once for all
// characters, which reads files of the C library: call it before the sandbox is locked, while there
// are no other threads. The page is valid until the end of the program.
std::optional<codec::CodePage> find_code_page(std::uint16_t number);

}  // namespace scidfs::fs
