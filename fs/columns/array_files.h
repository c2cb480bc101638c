// Arrays of a set's games and positions as files of NumPy, for programs that map them.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fs/columns/set_plies.h"
#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

enum class ArrayFile : std::uint8_t {
  Numbers,    // of the games in their database
  Results,    // 1, 0, -1: for White; -128: unknown
  Elos,       // of White and Black; 0: unknown
  Databases,  // of several together: the number of the game's, from 0
  Offsets,    // where the moves of each game begin in Moves; one more: where all end
  Moves,      // codec::scid::PackedMove
  Boards,     // codec::scid::ByteBoard
  States,     // codec::scid::ByteState
};
inline constexpr std::size_t kArrayFiles = 8;

// The games of the set in its order, or the positions of all their main lines, one after the other:
// those of game i begin at offsets[i] + i.
struct ArrayLayout {
  enum class Rows : std::uint8_t { Games, Offsets, Plies, Positions };

  std::string_view name;  // of the file
  std::string_view type;  // NumPy's name, little-endian
  std::size_t item_bytes = 0;
  Rows rows = Rows::Games;
  std::array<std::uint64_t, 2> cell{};  // the shape of a row; zeros: a number
  std::size_t row_bytes() const;
};
const ArrayLayout& array_layout(ArrayFile file);
// Returns whether the plies of the games must be counted to know its size.
bool needs_plies(ArrayFile file);
// Returns the shape of an array with so many games and plies.
std::vector<std::uint64_t> array_shape(ArrayFile file, std::uint64_t games, std::uint64_t plies);

// Returns the file of an array, which is made when it is read. `plies`: those of the games; null if
// they are not needed. Errors: Unavailable; Unimplemented if too many databases are together;
// Cancelled.
absl::StatusOr<std::unique_ptr<Content>> open_array(const GameSet& games, ArrayFile file,
                                                    std::shared_ptr<const SetPlies> plies,
                                                    const WorkBudget& budget);

}  // namespace scidfs::fs
