#include "fs/views/version.h"

#include <fmt/format.h>

#include <utility>

namespace scidfs::fs {

std::string owner_of_part(const Version& version, std::size_t part, bool is_sum_of_parts) {
  if (is_sum_of_parts) return fmt::format("{}", version.part(part).id);
  return fmt::format("{}/{}", version.id, part);
}

absl::StatusOr<CommonPlayersPtr> players_of(const Version& version, const WorkBudget& budget) {
  if (version.together == nullptr) return std::make_shared<const CommonPlayers>(version.database);
  return version.together->players->get(budget, [&]() -> absl::StatusOr<CommonPlayersPtr> {
    std::vector<DatabasePtr> databases;
    for (const Together::Member& member : version.together->members) {
      databases.push_back(member.version->database);
    }
    return CommonPlayers::merge(std::move(databases), budget);
  });
}

absl::StatusOr<CommonPlayersPtr> players_with_people(const Version& version,
                                                     const WorkBudget& budget) {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    absl::Status status = version.part(part).database->people(budget).status();
    if (!status.ok()) return status;
  }
  return players_of(version, budget);
}

absl::StatusOr<GameSets> game_sets(const Version& version, std::vector<GameSet> parts,
                                   const WorkBudget& budget) {
  if (version.together == nullptr) return GameSets(std::move(parts.front()));
  absl::StatusOr<CommonPlayersPtr> players = players_of(version, budget);
  if (!players.ok()) return players.status();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::string& path = version.together->members[part].path;
    parts[part].set_database_path({version.together, &path});
  }
  return GameSets(std::move(parts), *std::move(players));
}

}  // namespace scidfs::fs
