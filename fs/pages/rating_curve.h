// The ratings of a player over time as a picture.
#pragma once

#include <cstdint>
#include <span>

#include "fs/pages/html.h"

namespace scidfs::fs {

// Writes a curve through the months of known rating (SetFacts::elo_by_month), with axes of years
// and ratings, and a text that says the same in short. The line has a gap where no rating is known
// for more than a year; a month between two gaps is a dot. Writes nothing for fewer than two
// months.
void add_rating_curve(std::span<const std::uint16_t> elo_by_month, Html& html);

}  // namespace scidfs::fs
