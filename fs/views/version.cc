#include "fs/views/version.h"

#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

namespace {

std::vector<DatabasePtr> databases_of(const Together& together) {
  std::vector<DatabasePtr> databases;
  for (const Together::Member& member : together.members) {
    databases.push_back(member.version->database);
  }
  return databases;
}

}  // namespace

absl::StatusOr<CommonPlayersPtr> players_of(const Version& version, const WorkBudget& budget) {
  if (version.together == nullptr) return std::make_shared<const CommonPlayers>(version.database);
  return version.together->players->get(
      budget, [&] { return CommonPlayers::merge(databases_of(*version.together), budget); });
}

absl::StatusOr<CommonPlayersPtr> players_with_people(const Version& version,
                                                     const WorkBudget& budget) {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    RETURN_IF_ERROR(version.part(part).database->people(budget).status());
  }
  return players_of(version, budget);
}

absl::StatusOr<CommonEventsPtr> common_events(const Version& version, const WorkBudget& budget) {
  if (version.together == nullptr) return nullptr;
  return version.together->events->get(
      budget, [&] { return CommonEvents::merge(databases_of(*version.together), budget); });
}

absl::StatusOr<CommonEventsPtr> common_tournaments(const Version& version,
                                                   const WorkBudget& budget) {
  if (version.together == nullptr) return nullptr;
  for (const DatabasePtr& database : databases_of(*version.together)) {
    RETURN_IF_ERROR(database->tournaments(budget).status());
  }
  return version.together->tournaments->get(budget, [&] {
    return CommonEvents::merge_tournaments(databases_of(*version.together), budget);
  });
}

absl::StatusOr<GameSets> game_sets(const Version& version, std::vector<GameSet> parts,
                                   const WorkBudget& budget) {
  if (version.together == nullptr) return GameSets(std::move(parts.front()));
  ASSIGN_OR_RETURN(CommonPlayersPtr players, players_of(version, budget));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::string& path = version.together->members[part].path;
    parts[part].set_database_path({version.together, &path});
  }
  return GameSets(std::move(parts), std::move(players));
}

}  // namespace scidfs::fs
