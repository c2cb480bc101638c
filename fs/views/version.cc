#include "fs/views/version.h"

#include <utility>

#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {

const Version& Version::part(std::size_t part) const {
  return is_together() ? *together->members[part].version : *this;
}

std::string Version::path_of(std::size_t part) const {
  return is_together() ? together->members[part].path : codec::clean_line(database()->name());
}

absl::StatusOr<CommonPlayersPtr> players_of(const Version& version, const WorkBudget& budget) {
  return version.players->get(budget,
                              [&] { return CommonPlayers::merge(version.databases, budget); });
}

absl::StatusOr<CommonPlayersPtr> players_with_people(const Version& version,
                                                     const WorkBudget& budget) {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    RETURN_IF_ERROR(version.databases[part]->people(budget).status());
  }
  return players_of(version, budget);
}

absl::StatusOr<CommonEventsPtr> common_events(const Version& version, const WorkBudget& budget) {
  if (!version.is_together()) return nullptr;
  return version.together->events->get(
      budget, [&] { return CommonEvents::merge(version.databases, budget); });
}

absl::StatusOr<CommonEventsPtr> common_tournaments(const Version& version,
                                                   const WorkBudget& budget) {
  if (!version.is_together()) return nullptr;
  for (const DatabasePtr& database : version.databases) {
    RETURN_IF_ERROR(database->tournaments(budget).status());
  }
  return version.together->tournaments->get(
      budget, [&] { return CommonEvents::merge_tournaments(version.databases, budget); });
}

absl::StatusOr<GameSet> game_set(const Version& version, std::vector<DatabaseGames> parts,
                                 const WorkBudget& budget) {
  ASSIGN_OR_RETURN(CommonPlayersPtr players, players_of(version, budget));
  for (std::size_t part = 0; version.is_together() && part < parts.size(); ++part) {
    const std::string& path = version.together->members[part].path;
    parts[part].set_database_path({version.together, &path});
  }
  return GameSet(std::move(parts), std::move(players));
}

}  // namespace scidfs::fs
