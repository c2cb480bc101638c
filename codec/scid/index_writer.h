// The bytes of an index file, as Scid writes them: the inverse of index.h.
// Source: FORMAT.md, sections 3, 13 and 14.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/scid/index.h"

namespace scidfs::codec::scid {

// Appends the header of an index of Scid 4. Texts are cut, before a character, where the header has
// no more room for them.
void append_index4_header(const IndexHeader& header, std::vector<std::uint8_t>& out);

// Appends the entry of a game. REQUIRES: the format has room for its ids, offset, length and
// ratings (FORMAT.md, sections 9 and 13). Scid 4 leaves out an event date that it has no room for.
void append_index4_entry(const IndexEntry& entry, std::vector<std::uint8_t>& out);
void append_index5_entry(const IndexEntry& entry, std::vector<std::uint8_t>& out);

// Returns whether an index of Scid 4 has room for the event date of a game: its year is at most
// three away from that of the game.
bool index4_has_event_date(const GameEntry& entry);

}  // namespace scidfs::codec::scid
