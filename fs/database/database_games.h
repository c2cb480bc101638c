// Some games of one database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Games in database order: a set of one database, or the part of one that several have together
// (fs/database/game_set.h). A value, cheap to copy, that keeps alive everything it needs.
class DatabaseGames {
 public:
  using Cursor = GameList::Cursor;

  // Makes a set from a list that views data of the database itself.
  DatabaseGames(DatabasePtr database, GameList list, Part part = Part::Shown)
      : database_(std::move(database)), list_(list), part_(part) {}
  // Makes a set that owns its games.
  DatabaseGames(DatabasePtr database, DeltaList games, Part part = Part::Shown)
      : DatabaseGames(std::move(database), std::make_shared<const DeltaList>(std::move(games)),
                      part) {}
  // Makes a set that shares its games.
  DatabaseGames(DatabasePtr database, std::shared_ptr<const DeltaList> games,
                Part part = Part::Shown)
      : database_(std::move(database)),
        owned_(std::move(games)),
        list_(GameList::of(owned_->bytes())),
        part_(part) {}
  // Returns all games of the database except `missing`, which it shares.
  static DatabaseGames all_but(DatabasePtr database, std::shared_ptr<const DeltaList> missing,
                               Part part = Part::Shown) {
    const GameIndex games = database->games();
    DatabaseGames set(std::move(database), std::move(missing), part);
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

}  // namespace scidfs::fs
