#include "fs/database/unknown_names.h"

#include <algorithm>
#include <string_view>

namespace scidfs::fs {

using codec::scid::NameKind;
using codec::scid::NameTable;

UnknownNames::UnknownNames(const codec::scid::Names& names) {
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    const NameTable& table = names.tables[kind];
    Unknown& unknown = unknown_[kind];
    bool has_sign = false;
    for (std::uint32_t id = 0; id < table.size(); ++id) {
      if (table.contains(id) && table.length(id) > NameTable::kMissing.size()) continue;
      const std::string_view name = table.text(id);
      const bool is_sign = name == NameTable::kMissing;
      if (!is_sign && !name.empty()) continue;
      if (unknown.ids.empty() || (is_sign && !has_sign)) unknown.counted = id;
      has_sign |= is_sign;
      unknown.ids.push_back(id);
    }
    if (unknown.ids.size() == 1) unknown.ids.clear();
  }
}

std::uint32_t UnknownNames::counted(const Unknown& unknown, std::uint32_t id) {
  return std::ranges::binary_search(unknown.ids, id) ? unknown.counted : id;
}

void UnknownNames::unite(codec::scid::GameEntry& entry) const {
  entry.white = counted(NameKind::Player, entry.white);
  entry.black = counted(NameKind::Player, entry.black);
  entry.event = counted(NameKind::Event, entry.event);
  entry.site = counted(NameKind::Site, entry.site);
  entry.round = counted(NameKind::Round, entry.round);
}

}  // namespace scidfs::fs
