#include "fs/views/version.h"

#include <utility>

#include "codec/text.h"

namespace scidfs::fs {

std::string name_of_part(const Version& version, std::size_t part) {
  return codec::clean_line(version.together == nullptr ? version.database->name()
                                                       : version.together->members[part].path);
}

std::vector<std::string> database_column(const Version& version) {
  std::vector<std::string> names;
  for (std::size_t part = 0; version.together != nullptr && part < version.parts(); ++part) {
    names.push_back(name_of_part(version, part));
  }
  return names;
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

absl::StatusOr<GameSets> game_sets(const Version& version, std::vector<GameSet> parts,
                                   const WorkBudget& budget) {
  if (version.together == nullptr) return GameSets(std::move(parts.front()));
  absl::StatusOr<CommonPlayersPtr> players = players_of(version, budget);
  if (!players.ok()) return players.status();
  return GameSets(std::move(parts), *std::move(players));
}

}  // namespace scidfs::fs
