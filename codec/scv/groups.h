// The members of an archive that make a database (FORMAT.md, section 6).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scv/archive.h"

namespace scidfs::codec::scv {

// A kind of database. Suffixes are in lower case, with their dots.
struct Kind {
  std::string_view index;
  std::vector<std::string_view> required;  // other suffixes
  std::vector<std::string_view> optional;
};
const std::vector<Kind>& kinds();

// A database in an archive.
struct Group {
  const Kind* kind = nullptr;
  // The directories and the name before the suffix, or the text of <Database>.
  std::string root;
  std::size_t index = 0;                    // of its index member
  std::vector<std::size_t> required{};      // members, in the order of the kind, if present
  std::vector<std::size_t> optional{};      // members
  std::vector<std::string_view> missing{};  // required suffixes
};

// Returns the groups of usable members, by their index members.
std::vector<Group> find_groups(const Archive& archive);

// A name without the suffix of its last component, and that suffix in lower case: `.pgn.gz` and
// `.bpgn.gz` count as one. The suffix is empty if there is none.
struct Suffixed {
  std::string_view root;
  std::string suffix;
};
Suffixed split_suffix(std::string_view name);

}  // namespace scidfs::codec::scv
