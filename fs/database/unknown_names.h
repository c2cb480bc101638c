// The names of a database that say that a name is not known.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"

namespace scidfs::fs {

// The ids of empty names and of `?`, which mean the same: PGN text shows both as `?`, and files of
// their games have one name. A value.
class UnknownNames {
 public:
  explicit UnknownNames(const codec::scid::Names& names);

  // Returns the id that counts for a name: for all unknown ones the same, that of `?` if there is
  // one.
  std::uint32_t counted(codec::scid::NameKind kind, std::uint32_t id) const {
    const Unknown& unknown = unknown_[static_cast<std::size_t>(kind)];
    return unknown.ids.empty() ? id : counted(unknown, id);
  }
  // Gives a game the ids that count.
  void unite(codec::scid::GameEntry& entry) const;

 private:
  struct Unknown {
    std::vector<std::uint32_t> ids;  // ascending; none if there is only one
    std::uint32_t counted = 0;
  };
  static std::uint32_t counted(const Unknown& unknown, std::uint32_t id);

  std::array<Unknown, codec::scid::kNameKinds> unknown_;
};

}  // namespace scidfs::fs
