// Which opening each game of a database belongs to, by its positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fs/database/opening_groups.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {

struct GameOpenings {
  std::vector<OpeningNumber> games;  // by GameIndex; kNoOpening: comes to no position with a name
  // By OpeningGroups::Index, how many shown games belong there or below.
  std::vector<std::uint32_t> shown;

  // Bytes of memory that keeping it costs.
  std::size_t memory() const {
    return games.capacity() * sizeof(games[0]) + shown.capacity() * sizeof(shown[0]);
  }
};

}  // namespace scidfs::fs
