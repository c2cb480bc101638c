// Asks for the records of games before they are read, where that takes long.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/database/game_list.h"

namespace scidfs::fs {

class Database;

// For one thread. Gathers games and asks the system for all of their records at once: places that
// lie close together are one piece, and different pieces are on their way at the same time. Does
// nothing where the game file is near.
class ReadAhead {
 public:
  // The database outlives it.
  explicit ReadAhead(const Database& database);

  // Whether it does anything at all.
  bool is_wanted() const { return is_wanted_; }
  void add(GameIndex game);
  // Asks for what has been added since the last time, without waiting for it.
  void ask();

 private:
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  const Database& database_;
  const bool is_wanted_;
  std::vector<Piece> pieces_;
};

}  // namespace scidfs::fs
