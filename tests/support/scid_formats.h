// Databases in the other formats of Scid: made from those of Scid 4.
// Source: codec/scid/FORMAT.md, sections 12 and 13.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/scid/index.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

// The 56 bytes of Scid 5 that are parsed to the entry.
std::string index5_entry(const codec::scid::IndexEntry& entry);
// One item of a .sn5: a name, or a property of the database with type 4.
std::string name5_item(unsigned type, std::string_view text);
std::string name5_file(const NameLists& names);

// Builds a database of Scid 5 game by game, as Scid 5 does on import: a name gets its id at its
// first use, and no record crosses a multiple of 128 KiB.
class Scid5Builder {
 public:
  struct Names {
    std::string event = "?", site = "?", round = "?", white = "?", black = "?";
  };
  // The builder determines the ids and the place of the record.
  void game(const Names& names, codec::scid::IndexEntry entry, std::string_view record);
  // A property of the database, e.g. "type" directly followed by its value.
  void info(std::string_view item) { files_.names += name5_item(4, item); }

  const ScidFiles& files() const { return files_; }

 private:
  std::uint32_t id_of(codec::scid::NameKind kind, const std::string& name);

  NameLists names_;
  ScidFiles files_;
};

// The same database in another format. Values that an index of Scid 3 cannot store are left out.
// REQUIRES: whole files of Scid 4.
ScidFiles as_scid3(const ScidFiles& files);
ScidFiles as_scid5(const ScidFiles& files);

}  // namespace scidfs::tests
