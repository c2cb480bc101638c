// The bytes of name files, as Scid writes them: the inverse of names.h.
// Source: FORMAT.md, sections 2, 13 and 14.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"

namespace scidfs::codec::scid {

// A name, and how often games use it.
struct NameUses {
  std::string_view name;
  std::uint32_t uses = 0;
};

// Appends the name file of Scid 4: names by kind and id. REQUIRES: at most kMaxNames4 of a kind,
// each of at most kMaxName4 bytes.
void append_names4(const std::array<std::span<const NameUses>, kNameKinds>& names,
                   std::vector<std::uint8_t>& out);

// Appends a name to a name file of Scid 5. Its id is the number of names of its kind before it.
void append_name5(NameKind kind, std::string_view name, std::vector<std::uint8_t>& out);

// Appends the properties of a database that differ from those of a new one to a name file of
// Scid 5.
void append_info5(const DatabaseInfo& info, std::vector<std::uint8_t>& out);

}  // namespace scidfs::codec::scid
