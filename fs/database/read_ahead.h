// Requests the records of games before they are read, where reads take long.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/database/game_list.h"

namespace scidfs::fs {

class Database;

// Collects games for one thread and requests all their records at once: close records are one
// piece, and several pieces are in flight at the same time. Does nothing if the game file is local.
class ReadAhead {
 public:
  // The database must outlive it.
  explicit ReadAhead(const Database& database);

  // Returns whether it does anything.
  bool is_wanted() const { return is_wanted_; }
  void add(GameIndex game);
  // Requests the games added since the last call, without waiting for them.
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
