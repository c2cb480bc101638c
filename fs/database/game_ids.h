// The FIDE ids that stand in the tags of a database's games. The pass that measures the texts of
// games finds them, and they are saved with the sizes.
//
// Few games have them, so a block of games without any costs nothing but its bits, and a database
// without any costs nothing. The arrays, which an index file has as sections (stored_index.h), for
// games in blocks of kGames, up to the last one with an id:
//
//  array    values       what
//  blocks   of 40 bytes  which sides of its games have an id, and how many of earlier blocks do
//  numbers  of 4 bytes   for each side that has an id, by game, white first: the number of the id
//  ids      of 4 bytes   the ids, ascending: number n is the n-th
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cache/mutex.h"
#include "codec/scid/fide_ids.h"
#include "codec/types.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

struct IdsOfGame {
  GameIndex game = 0;
  codec::scid::FideIds ids{};

  auto operator<=>(const IdsOfGame&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Immutable; any number of threads may use it.
class GameIds {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr GameIndex kGames = 128;

  struct Block {
    std::array<std::uint64_t, 4> sides{};  // bit 2 g: White of its game g; 2 g + 1: Black
    std::uint64_t before = 0;              // the sides of earlier blocks that have an id
  };
  static_assert(sizeof(Block) == 40);
  struct Arrays {
    std::span<const Block> blocks{};
    std::span<const std::uint32_t> numbers{};
    std::span<const std::uint32_t> ids{};
  };

  // Makes it from games that have ids, ascending, each once.
  explicit GameIds(std::span<const IdsOfGame> games);
  // Takes the arrays of another owner, who outlives this. Returns null if they do not fit each
  // other, or a database of so many games.
  static std::shared_ptr<const GameIds> of_stored(const Arrays& arrays, GameIndex games);
  GameIds(const GameIds&) = delete;
  GameIds& operator=(const GameIds&) = delete;

  bool empty() const { return arrays_.numbers.empty(); }
  // Returns the number of the id of a side; kNone: it has none. Accepts any game.
  std::uint32_t number(GameIndex game, codec::Color color) const;
  // Returns whether a game from `block` x kGames on, and before the next block, has an id.
  bool has_any(std::size_t block) const {
    return block < arrays_.blocks.size() && arrays_.blocks[block].sides != Block().sides;
  }
  // Returns the ids, by number, ascending.
  std::span<const std::uint32_t> ids() const { return arrays_.ids; }
  // Returns all games that have an id, ascending.
  std::vector<IdsOfGame> games() const;
  // Returns what of_stored() takes.
  const Arrays& arrays() const { return arrays_; }

  // Returns the bytes of memory that this takes; arrays of another owner are none.
  std::size_t memory() const;

 private:
  GameIds() = default;

  std::vector<Block> own_blocks_;
  std::vector<std::uint32_t> own_numbers_;
  std::vector<std::uint32_t> own_ids_;
  Arrays arrays_;
};

// The ids that have been found so far, as GameSizes has the sizes: const, since the files determine
// them. Thread-safe.
class FoundIds {
 public:
  FoundIds() = default;

  // Adds the ids of a game, before its size is recorded: whose reading finds all sizes recorded has
  // all ids in known(). Adding them again changes nothing.
  void add(GameIndex game, codec::scid::FideIds ids) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns those added so far; never null.
  std::shared_ptr<const GameIds> known() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Replaces all.
  void adopt(std::shared_ptr<const GameIds> ids) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the bytes of memory that this takes.
  std::size_t memory() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable cache::Mutex mutex_;
  mutable std::vector<IdsOfGame> added_ ABSL_GUARDED_BY(mutex_);  // not in known_ yet
  mutable std::shared_ptr<const GameIds> known_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<const GameIds>(std::span<const IdsOfGame>());
};

}  // namespace scidfs::fs
