// Finds what a user may have meant by a name that is not there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/get/tree_reader.h"

namespace scidfs::fs {

// Returns a name, of any bytes, in the form of fold_text() (fs/base/glob.h).
std::string fold_name(std::string_view name);

// Returns the names that `wanted` may be a misspelled one of, or a beginning of one: at most five,
// the nearest first, by the number of letters that were left out, added or changed. Case, accents
// and the difference between `_` and a blank do not count.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const ListedName> names);

}  // namespace scidfs::fs
