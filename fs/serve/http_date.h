// Dates in the headers of HTTP (RFC 9110, 5.6.7), in English always.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns "Sun, 06 Nov 1994 08:49:37 GMT". Seconds since 1970; those outside of the years 0 to
// 9999, which the form cannot write, as the nearest that it can.
std::string http_date(std::int64_t seconds);

// Takes that form, and the two old ones: "Sunday, 06-Nov-94 08:49:37 GMT", of a year at most 50
// years from now, and "Sun Nov  6 08:49:37 1994". Whether the day of the week is right is not
// asked.
std::optional<std::int64_t> parse_http_date(std::string_view text);

}  // namespace scidfs::fs
