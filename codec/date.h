// Dates as PGN writes them: "2013.11.09", unknown parts as question marks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::codec {

inline constexpr std::size_t kDateLength = 10;

// Writes exactly kDateLength characters, `yyyy.mm.dd`, to `out`, with `????` and `??` for unknown
// parts. Any part may be unknown, so "????.05.06" can occur; a part too large for its places is
// unknown too. Returns the end.
char* write_date(Date date, char* out);

std::string to_string(Date date);

// Parses a date as people write it: year, month and day, each perhaps unknown or missing, with `.`,
// `-` or `/` between them. A part that no date has is unknown, such as the 30th of February or a
// year beyond 2047, and so is the day of a month that does not exist.
Date parse_date(std::string_view text);

}  // namespace scidfs::codec
