// Sets of games. The directories of all sets have the same files.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/search/query.h"
#include "fs/tables/identities.h"
#include "fs/views/numbers.h"
#include "fs/views/version.h"
#include "fs/views/view.h"

namespace scidfs::fs {

// The files that a set lists (fs/views/set_files.cc). Lookup finds the others too.
enum class Listing : std::uint8_t {
  Games,     // the file of its games, named games.pgn
  AllGames,  // the same, named all.pgn: beside it are parts of the games
  Tables,    // no games: the sets below or above list them
  Database,  // everything
  Position,  // only files about the position
};

class EventSet;
class PositionSet;

// One set of one version, bound for the duration of a request (SetView::set_of()), so that the
// whole request sees one query and one list of games. It is the node of its directory.
class Set : public ViewNode, public std::enable_shared_from_this<Set> {
 public:
  // `directory` is that of the set, with the entry kSet. `files` is the number of the view that the
  // set's files belong to; it differs where the directory is an alias.
  Set(const Version& version, LocalId directory, std::uint8_t files)
      : version_(version), directory_(directory), files_(files) {
    version.searches->sets_bound.fetch_add(1, std::memory_order_relaxed);
  }
  Set(const Version& version, LocalId directory) : Set(version, directory, directory.view) {}

  bool is_directory() const final { return true; }
  const Set* set() const final { return this; }
  const Version& version() const { return version_; }
  const DatabasePtr& database_ptr() const { return version_.database(); }
  const Database& database() const { return *version_.database(); }
  // Return the set's directory, and an entry of that.
  LocalId directory() const { return directory_; }
  LocalId file(SetEntry entry) const {
    return {.view = files_, .entry = entry, .key = directory_.key};
  }
  LocalId below(SetEntry entry) const {
    return {.view = directory_.view, .entry = entry, .key = directory_.key};
  }

  virtual Listing listing() const { return Listing::Games; }

  // Returns whether they are all games of one database that are shown; of openings/ or a directory
  // there.
  virtual bool is_database() const { return false; }
  // Returns whether the set has all games that the version shows.
  virtual bool has_all_games() const { return is_database(); }
  virtual bool is_of_openings() const { return false; }
  // Returns itself if it is the set of a position, else null.
  virtual const PositionSet* at_position() const { return nullptr; }
  // Returns the event whose games they are, of several databases that of one of them; null: none.
  virtual const EventSet* event() const { return nullptr; }

  // Returns the games. Errors: Unavailable, Cancelled, and others of search() if the games must be
  // found first.
  virtual absl::StatusOr<GameSet> games(const WorkBudget& budget) const = 0;
  // Returns whether the games of each database depend on that database alone, and on the
  // directories that the set consists of there. Returns the part of a key of results that tells
  // these: empty where the directory of the set itself does.
  virtual bool is_sum_of_parts() const { return true; }
  virtual std::string directories_in(std::size_t /*part*/) const { return {}; }
  // Return the player whose games they are, if they are one player's, as in each part; no element
  // if they are not. Errors: those of games().
  virtual bool has_subject() const { return false; }
  virtual absl::StatusOr<std::vector<Subject>> subject(const WorkBudget&) const {
    return std::vector<Subject>();
  }
  // Returns what the tables of players and opponents count as one player.
  virtual Identities::Of players_are() const { return Identities::Of::Spellings; }
  LocalId parent() const override = 0;
  // Return the name of its directory, and the title of the set for users.
  virtual std::string name() const = 0;
  virtual std::string title() const = 0;
  // Returns the first lines of summary.txt, about the games that all databases of `whole` have at
  // the path of the set.
  virtual absl::StatusOr<std::string> introduction(const Version& /*whole*/,
                                                   const WorkBudget&) const {
    return std::string();
  }
  // Returns a key that distinguishes the results for this set from those for all others of the
  // version. A query without conditions has that of its set.
  virtual std::string answer_key() const;
  // Returns the beginning of a key of results for the games of one database: its version, if they
  // depend on that alone (`is_sum`), else that of all.
  std::string owner_of_part(std::size_t part, bool is_sum) const;
  // Returns the query that leads to the set; for a set without a query, one without conditions.
  virtual QueryPtr asked() const;

  // Lists its files, then its own children.
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const final;
  NodePtr bind_child(const Child& child) const final;
  // Returns the file or directory of a row (fs/views/set_files.h); null if the set has none.
  ViewNodePtr bind_entry(std::uint8_t entry) const;

  // Open the file of its games, and the table of them. `games` is the result of games().
  virtual absl::StatusOr<std::unique_ptr<Content>> open_games_file(const GameSet& games,
                                                                   const WorkBudget& budget) const;
  virtual absl::StatusOr<std::unique_ptr<Content>> open_index(const WorkBudget& budget) const;

 protected:
  // Further children of its directory: at `count` positions, of which some may be empty; and by
  // name, including names that are not listed.
  virtual std::uint64_t child_count() const { return 0; }
  virtual std::optional<Child> child(std::uint64_t) const { return {}; }
  virtual std::optional<Child> find_child(std::string_view) const { return {}; }
  // Is told of a name that nothing has.
  virtual void note_unknown(std::string_view) const {}

 private:
  const Version& version_;
  const LocalId directory_;
  const std::uint8_t files_;
};
using SetPtr = std::shared_ptr<const Set>;

// A set whose list of games the database keeps.
class ListedSet : public Set {
 public:
  ListedSet(const Version& version, LocalId directory, std::uint8_t files, GameList games)
      : Set(version, directory, files), games_(games) {}
  ListedSet(const Version& version, LocalId directory, GameList games)
      : ListedSet(version, directory, directory.view, games) {}

  absl::StatusOr<GameSet> games(const WorkBudget&) const final {
    return DatabaseGames(database_ptr(), games_);
  }

 private:
  const GameList games_;
};

}  // namespace scidfs::fs
