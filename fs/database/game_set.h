// Some games of a database, or of several, from which files of games and tables are made.
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// A set of games in database order. A value, cheap to copy, that keeps alive everything it needs.
class GameSet {
 public:
  using Cursor = GameList::Cursor;

  // Makes a set from a list that views data of the database itself.
  GameSet(DatabasePtr database, GameList list, Part part = Part::Shown)
      : database_(std::move(database)), list_(list), part_(part) {}
  // Makes a set that owns its games.
  GameSet(DatabasePtr database, DeltaList games, Part part = Part::Shown)
      : GameSet(std::move(database), std::make_shared<const DeltaList>(std::move(games)), part) {}
  // Makes a set that shares its games.
  GameSet(DatabasePtr database, std::shared_ptr<const DeltaList> games, Part part = Part::Shown)
      : database_(std::move(database)),
        owned_(std::move(games)),
        list_(GameList::of(owned_->bytes())),
        part_(part) {}
  // Returns all games of the database except `missing`, which it shares.
  static GameSet all_but(DatabasePtr database, std::shared_ptr<const DeltaList> missing,
                         Part part = Part::Shown) {
    const GameIndex games = database->games();
    GameSet set(std::move(database), std::move(missing), part);
    set.list_ = GameList::all_but(games, set.owned_->bytes());
    return set;
  }

  const DatabasePtr& database() const { return database_; }
  // Returns where the games are as files, in games/ or in deleted/.
  Part part() const { return part_; }
  // Return the path of the database from a folder that shows several as one, clean; empty where one
  // is shown. The set keeps it.
  std::string_view database_path() const {
    return database_path_ == nullptr ? std::string_view() : *database_path_;
  }
  void set_database_path(std::shared_ptr<const std::string> path) {
    database_path_ = std::move(path);
  }
  // Returns the list, valid as long as the set, or a copy of it.
  GameList list() const { return list_; }
  GameList::Cursor begin() const { return list_.begin(); }
  bool empty() const { return list_.empty(); }
  // Returns the number of games, counted up to `limit`.
  std::size_t count(std::size_t limit) const { return list_.count(limit); }

  // Returns the bytes of memory that keeping this costs, without the database.
  std::size_t memory() const {
    return sizeof *this + (owned_ == nullptr ? 0 : owned_->bytes().size());
  }

 private:
  DatabasePtr database_;
  std::shared_ptr<const DeltaList> owned_;
  GameList list_;
  Part part_;
  std::shared_ptr<const std::string> database_path_;  // null: one database
};

class CommonPlayers;

// A game of a set over several databases. The order is that of the set.
struct GameOfPart {
  std::uint32_t part = 0;
  GameIndex game = kNoGame;

  friend auto operator<=>(const GameOfPart&,
                          const GameOfPart&) = default;  // NOLINT(modernize-use-nullptr)
};

// The parts of a set over several databases, each the games of one database, in the order of the
// set. A view, cheap to copy: the sets and the pointer to the players must outlive it. One set is a
// set of one part. What counts games adds up the counts of the parts; what counts players needs
// their common names, too.
class SetParts {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): one set is a set of one part.
  SetParts(const GameSet& only) : parts_(&only, 1) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a view.
  SetParts(std::span<const GameSet> parts) : parts_(parts) {}
  // REQUIRES: `players` are those of the databases of the parts, in the same order.
  SetParts(std::span<const GameSet> parts, const std::shared_ptr<const CommonPlayers>& players)
      : parts_(parts), players_(&players) {}

  std::size_t size() const { return parts_.size(); }
  const GameSet& operator[](std::size_t part) const { return parts_[part]; }
  std::span<const GameSet>::iterator begin() const { return parts_.begin(); }
  std::span<const GameSet>::iterator end() const { return parts_.end(); }
  // Returns the number of games, counted up to `limit`.
  std::size_t count(std::size_t limit) const {
    std::size_t games = 0;
    for (const GameSet& part : parts_) games += part.count(limit - games);
    return games;
  }
  // Returns what the databases of a mount have in common. REQUIRES: there is a part.
  const Reference& reference() const {
    assert(!parts_.empty());
    return parts_.front().database()->reference();
  }
  // Returns the players of all parts; null where no code has merged their names.
  std::shared_ptr<const CommonPlayers> players() const {
    return players_ == nullptr ? nullptr : *players_;
  }

 private:
  std::span<const GameSet> parts_;
  const std::shared_ptr<const CommonPlayers>* players_ = nullptr;
};

}  // namespace scidfs::fs
