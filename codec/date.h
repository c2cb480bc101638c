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

// A date as a text tells it.
struct ReadDate {
  Date date;
  bool is_whole = true;  // whether the date has all that the text tells of it
};

// Reads a date as people write it, with `.`, `-` or `/` between its parts, which may be unknown or
// missing, and perhaps a time or a remark after it: year, month and day; or the year last, of four
// digits. Then the day is before the month, unless one of them can only be the day ("2/26/2019");
// without dots that is not certain, and day and month are unknown ("3/4/2019"). A year of fewer
// digits is unknown; so is a part that no date has, such as the 30th of February or a year beyond
// 2047.
ReadDate read_date(std::string_view text);

}  // namespace scidfs::codec
