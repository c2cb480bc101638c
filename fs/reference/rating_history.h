// The ratings of a person over time, packed for the index of a spelling file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/spelling_file.h"

namespace scidfs::fs {

using codec::scid::MonthRating;

// A rating of this many months ago still tells the strength of a player.
inline constexpr std::uint32_t kMonthsOfRating = 36;

// Sorts the ratings of a person by month, the last one of each month, and leaves out those that
// interpolation between the others finds: a rating that both its neighbors have, where these are at
// most kMonthsOfRating apart.
void tidy_history(std::vector<MonthRating>& ratings);

// Append ratings, which ascend by month, to bytes, and the ratings of such bytes to a vector. Any
// bytes give months that ascend. A rating is two numbers of seven bits a byte, the lowest first and
// the last byte below 128: the months since the one before (the first: since the year 0), and the
// change of the rating since then, times two, or for a loss times -2, minus 1.
void pack_history(const std::vector<MonthRating>& ratings, std::string& bytes);
void unpack_history(std::string_view bytes, std::vector<MonthRating>& ratings);

}  // namespace scidfs::fs
