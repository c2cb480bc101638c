// Which members of an archive make a database (FORMAT.md, section 6).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scv/archive.h"

namespace scidfs::codec::scv {

// A kind of database. Suffixes are in small letters, with their dots.
struct Kind {
  std::string_view index;
  std::vector<std::string_view> required;  // other suffixes
  std::vector<std::string_view> optional;
};
const std::vector<Kind>& kinds();

// A database in an archive.
struct Group {
  const Kind* kind = nullptr;
  // Directories and all before the suffix, or what <Database> says.
  std::string root;
  std::size_t index = 0;                    // of its index member
  std::vector<std::size_t> required{};      // members, in the order of the kind, as far as there
  std::vector<std::size_t> optional{};      // members
  std::vector<std::string_view> missing{};  // required suffixes
};

// The groups of the members that can be used, by their index members.
std::vector<Group> find_groups(const Archive& archive);

// A name without its directories' last suffix, and that suffix in small letters: `.pgn.gz` and
// `.bpgn.gz` count as one. An empty suffix if there is none.
struct Suffixed {
  std::string_view root;
  std::string suffix;
};
Suffixed split_suffix(std::string_view name);

}  // namespace scidfs::codec::scv
