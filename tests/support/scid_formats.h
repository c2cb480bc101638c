// Databases in the other formats of Scid: made from those of Scid 4.
// Source: codec/scid/FORMAT.md, sections 12 and 13.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/scid/index.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

// The 56 bytes of Scid 5 that are read as the entry.
std::string index5_entry(const codec::scid::IndexEntry& entry);
// One item of a .sn5: a name, or what a database says of itself under type 4.
std::string name5_item(unsigned type, std::string_view text);
std::string name5_file(const NameLists& names);

// The same database in another format. What an index of Scid 3 cannot hold is left out.
// REQUIRES: whole files of Scid 4.
ScidFiles as_scid3(const ScidFiles& files);
ScidFiles as_scid5(const ScidFiles& files);

}  // namespace scidfs::tests
