// The names of a database in its index file (stored_index.h), so that the next mount need not parse
// the name file.
//
// The section NamesInfo has lines: how many names were cut; the fault of the file, or nothing; and,
// of a file that has them (Names::info), the type, the game to load, the description and the names
// of the custom flags.
#pragma once

#include <optional>

#include "codec/scid/names.h"

namespace scidfs::fs {

class StoredIndex;
class StoredParts;

// Adds names to an index file. They outlive `parts`.
void add_names(const codec::scid::Names& names, StoredParts& parts);

// Returns the names of an index file, which outlives them; nothing if they do not fit.
std::optional<codec::scid::Names> stored_names(const StoredIndex& stored);

}  // namespace scidfs::fs
