// The version of a database, or of several together, that views show.
#pragma once

#include <absl/status/statusor.h>

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
#include "fs/database/game_sets.h"
#include "fs/duplicates/doubles.h"
#include "fs/positions/set_endings.h"
#include "fs/search/query_context.h"
#include "fs/tables/set_findings.h"
#include "fs/views/joined_places.h"

namespace scidfs::fs {

struct Together;

// One version of a database, and the queries of its mount; or the versions of several databases
// that are shown together. Immutable except for results that are found when first needed.
struct Version {
  // Of several, the first one: for what the databases of a mount have in common.
  DatabasePtr database;
  std::shared_ptr<QueryContext> searches;
  std::shared_ptr<OnceValue<Doubles>> doubles = std::make_shared<OnceValue<Doubles>>();
  // Of the games shown.
  std::shared_ptr<OnceValue<SetEndings>> endings = std::make_shared<OnceValue<SetEndings>>();
  std::shared_ptr<OnceValue<SetFindings>> findings = std::make_shared<OnceValue<SetFindings>>();
  std::uint64_t id = 0;                        // unique as long as the process lives
  bool is_in_folder = false;                   // whether the directory above has a page
  std::shared_ptr<const Together> together{};  // null: one database

  // Return how many databases there are, and the version of one.
  std::size_t parts() const;
  const Version& part(std::size_t part) const;
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
  std::shared_ptr<OnceValue<CommonPlayers>> players = std::make_shared<OnceValue<CommonPlayers>>();
  std::shared_ptr<OnceValue<CommonEvents>> events = std::make_shared<OnceValue<CommonEvents>>();
  std::shared_ptr<OnceValue<CommonEvents>> tournaments =
      std::make_shared<OnceValue<CommonEvents>>();
  std::shared_ptr<KnownPlaces> known_places = std::make_shared<KnownPlaces>();
};

inline std::size_t Version::parts() const {
  return together == nullptr ? 1 : together->members.size();
}
inline const Version& Version::part(std::size_t part) const {
  return together == nullptr ? *this : *together->members[part].version;
}

// Returns games of each database of a version as one set, whose parts have the paths of their
// databases. Errors: those of players_of().
absl::StatusOr<GameSets> game_sets(const Version& version, std::vector<GameSet> parts,
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
