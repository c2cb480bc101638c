// Which opening each game of a database belongs to, by its positions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fs/reference/opening_groups.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {

struct GameOpenings {
  std::vector<OpeningNumber> games;  // by GameIndex; kNoOpening: reaches no position with a name
  // How many shown games belong to a group or below. Groups without any are left out.
  struct Shown {
    OpeningGroups::Index group = OpeningGroups::kRoot;
    std::uint32_t games = 0;
  };
  std::vector<Shown> shown;  // by group

  std::uint32_t shown_in(OpeningGroups::Index group) const {
    const auto found = std::ranges::lower_bound(shown, group, {}, &Shown::group);
    return found == shown.end() || found->group != group ? 0 : found->games;
  }

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const {
    return games.capacity() * sizeof(games[0]) + shown.capacity() * sizeof(shown[0]);
  }
};

}  // namespace scidfs::fs
