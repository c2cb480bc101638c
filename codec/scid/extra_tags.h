// The extra tags of records, as PGN shows them.
// Source: FORMAT.md, section 4.3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/pgn.h"
#include "codec/scid/record.h"
#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// Returns whether a name is one that the PGN standard allows (8.1.1).
bool is_tag_name(std::string_view name);

// Returns the member for a tag of the record that replaces a name of the index; null if it replaces
// none.
std::string_view GameTags::*roster_member(std::string_view name);

// Returns whether the index, or the FEN, gives a tag of this name for games of which it is known:
// the roster, ratings, ECO, EventDate, SetUp and FEN.
bool is_tag_of_index(std::string_view name);

// Gives the extra tags of a record, in stored order, names that PGN allows, and leaves each name
// once: the place of the first and the value of the last tag stored under a name count. Names that
// are not stored like that are in `names`, which must live as long as the tags.
void clean_extra_tags(std::vector<ExtraTag>& tags, std::vector<std::string>& names);

// Returns the value of a tag as PGN shows it, but for the escapes of `"` and `\`. It views `value`
// or `room`.
std::string_view shown_value(Bytes value, CodePage page, std::string& room);

// Returns whether the value of a tag is known: neither empty nor `?` nor `-`.
constexpr bool is_known_value(std::string_view value) {
  return !value.empty() && value != "?" && value != "-";
}

}  // namespace scidfs::codec::scid
