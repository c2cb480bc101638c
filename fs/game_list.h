// A list of games in database order: what a virtual file of games consists of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace scidfs::fs {

// The place of a game in its database, from 0; its number as Scid shows it is one more.
using GameIndex = std::uint32_t;

// A view of games that lie elsewhere: some of a database, or all but a few. Cheap to copy.
class GameList {
 public:
  GameList() = default;
  // REQUIRES: ascending.
  static GameList of(std::span<const GameIndex> games) {
    GameList list;
    list.games_ = games;
    list.size_ = games.size();
    return list;
  }
  // The games 0 .. count-1 without `missing`. REQUIRES: `missing` is ascending and below count.
  static GameList all_but(GameIndex count, std::span<const GameIndex> missing) {
    GameList list;
    list.games_ = missing;
    list.size_ = count - missing.size();
    list.complement_ = true;
    return list;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // REQUIRES: position < size().
  GameIndex operator[](std::size_t position) const {
    if (!complement_) return games_[position];
    if (games_.empty()) return static_cast<GameIndex>(position);
    // The k-th missing game is passed once `position` reaches its index less the k before it.
    std::size_t low = 0;
    std::size_t high = games_.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (games_[middle] - middle <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<GameIndex>(position + low);
  }

 private:
  std::span<const GameIndex> games_;
  std::size_t size_ = 0;
  bool complement_ = false;
};

}  // namespace scidfs::fs
