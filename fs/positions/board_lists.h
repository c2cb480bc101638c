// The lists of games of boards, as a positions file has them (fs/database/stored_positions.h).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "codec/scid/board_key.h"

namespace scidfs::fs {

// Some games that come to a board: a run of ranks.
struct BoardRun {
  codec::scid::BoardKey key = 0;
  std::uint32_t rank = 0;         // of the first
  std::uint32_t count : 26 = 1;   // how many
  std::uint32_t ply : 5 = 0;      // at which they do so; no matter if they are late
  std::uint32_t is_late : 1 = 0;  // whether they come there after kStoredPlies only

  friend bool operator<(const BoardRun& a, const BoardRun& b) {
    return a.key != b.key ? a.key < b.key : a.rank < b.rank;
  }
};
static_assert(sizeof(BoardRun) == 16);
// No run has more games.
inline constexpr std::uint32_t kMostInRun = (std::uint32_t{1} << 26) - 1;
inline constexpr std::uint32_t kMostPly = (std::uint32_t{1} << 5) - 1;

// Where a game comes to a board.
struct BoardPlaceInGame {
  std::uint32_t rank = 0;  // of the game
  std::uint32_t ply = 0;
};

// Boards, ascending by key, with their games.
struct BoardLists {
  std::vector<codec::scid::BoardKey> keys;
  // The rank of the only game; or, with kListedBit set, the place of a list in `lists`.
  std::vector<std::uint32_t> values;
  std::vector<std::uint8_t> lists;
  // For each of them that has many games, a place after whose moves most of its games come there.
  std::vector<BoardPlaceInGame> frequent;
};

// Returns the lists of all boards that have a run which is not late. Sorts the runs, of which
// several may have one game. `frequent`: how many games are many.
BoardLists make_board_lists(std::vector<BoardRun>& runs, std::uint64_t frequent);

}  // namespace scidfs::fs
