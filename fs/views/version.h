// The version of a database, or of several together, that views show.
#pragma once

#include <absl/status/statusor.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"
#include "fs/database/common_events.h"
#include "fs/database/common_players.h"
#include "fs/database/database.h"
#include "fs/database/game_set.h"
#include "fs/duplicates/doubles.h"
#include "fs/positions/set_endings.h"
#include "fs/repertoire/sources.h"
#include "fs/search/query_context.h"
#include "fs/tables/set_findings.h"
#include "fs/views/joined_places.h"

namespace scidfs::fs {

class ListedSizes;
struct Together;

// One version of a database, and the queries of its mount; or the versions of several databases
// that are shown together. Immutable except for results that are found when first needed.
struct Version {
  std::vector<DatabasePtr> databases;  // the parts: one, or those of `together`
  std::shared_ptr<QueryContext> searches;
  std::shared_ptr<AskedRepertoires> repertoires{};
  std::shared_ptr<OnceValue<CommonPlayers>> players = std::make_shared<OnceValue<CommonPlayers>>();
  std::shared_ptr<OnceValue<Doubles>> doubles = std::make_shared<OnceValue<Doubles>>();
  // Of the games shown.
  std::shared_ptr<OnceValue<SetEndings>> endings = std::make_shared<OnceValue<SetEndings>>();
  std::shared_ptr<OnceValue<SetFindings>> findings = std::make_shared<OnceValue<SetFindings>>();
  std::shared_ptr<const ListedSizes> listed_sizes{};  // null: none are saved
  std::uint64_t id = 0;                               // unique as long as the process lives
  bool is_in_folder = false;                          // whether the directory above has a page
  std::shared_ptr<const Together> together{};         // null: one database

  bool is_together() const { return together != nullptr; }
  // Return how many databases there are, and the version of one.
  std::size_t parts() const { return databases.size(); }
  const Version& part(std::size_t part) const;
  // Returns the path of a database from the folder that shows several together; for one its name.
  std::string path_of(std::size_t part) const;
  // Returns the database. REQUIRES: it is the only one.
  const DatabasePtr& database() const {
    assert(parts() == 1 && !is_together());
    return databases.front();
  }
  // Return what the databases of a mount have in common.
  const Reference& reference() const { return databases.front()->reference(); }
  const DatabaseOptions& options() const { return databases.front()->options(); }
};
using VersionPtr = std::shared_ptr<const Version>;

// Some databases of a folder, shown as one.
struct Together {
  struct Member {
    VersionPtr version;
    std::string path;  // from the folder, as the mount shows it: "a/twic.si4"
  };

  std::vector<Member> members;  // by path; at least two where games are shown
  // Of PGN files that are left out: paths of those that have not been read, and lines that begin
  // with the paths of others and say why.
  std::vector<std::string> unread{};
  std::vector<std::string> refused{};
  // Whether PGN files belong to them, which may be listed before they are read. So it may not
  // depend on their games what is listed: flags/ is always there.
  bool has_pgn = false;
  std::shared_ptr<OnceValue<CommonEvents>> events = std::make_shared<OnceValue<CommonEvents>>();
  std::shared_ptr<OnceValue<CommonEvents>> tournaments =
      std::make_shared<OnceValue<CommonEvents>>();
  std::shared_ptr<KnownPlaces> known_places = std::make_shared<KnownPlaces>();
};

// Returns games of each database of a version as one set, whose parts have the paths of their
// databases. Errors: those of players_of().
absl::StatusOr<GameSet> game_set(const Version& version, std::vector<DatabaseGames> parts,
                                 const WorkBudget& budget);
// Returns the players of all databases of a version, whose names are merged at first use. Errors:
// those of CommonPlayers::merge().
absl::StatusOr<CommonPlayersPtr> players_of(const Version& version, const WorkBudget& budget);
// Returns the same after each database knows its people. Errors: those of Database::people(), too.
absl::StatusOr<CommonPlayersPtr> players_with_people(const Version& version,
                                                     const WorkBudget& budget);
// Return the events, or the tournaments, of all databases of a version, whose names are compared at
// first use; null for one database. Errors: those of CommonEvents::merge(); of the latter those of
// Database::tournaments(), too.
absl::StatusOr<CommonEventsPtr> common_events(const Version& version, const WorkBudget& budget);
absl::StatusOr<CommonEventsPtr> common_tournaments(const Version& version,
                                                   const WorkBudget& budget);

}  // namespace scidfs::fs
