#include "fs/views/found_games.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "fs/search/search.h"

namespace scidfs::fs {

std::string answer_key_of(LocalId base, FacetGroups groups) {
  return fmt::format("{}/{}", pack({.place = base}), canonical_text(groups));
}

absl::StatusOr<GameSet> found_games(const Set& base, FacetGroups groups, const WorkBudget& budget) {
  if (groups.empty()) return base.games(budget);
  const absl::StatusOr<std::shared_ptr<const FoundGames>> found =
      base.version().searches->results.get<FoundGames>(
          fmt::format("{}:{}", base.version().id, answer_key_of(base.directory(), groups)), budget,
          [&]() -> absl::StatusOr<std::shared_ptr<const FoundGames>> {
            const absl::StatusOr<GameSet> all = base.games(budget);
            if (!all.ok()) return all.status();
            const absl::StatusOr<std::optional<Subject>> subject = base.subject(budget);
            if (!subject.ok()) return subject.status();
            absl::StatusOr<DeltaList> games = search(*all, *subject, groups, budget);
            if (!games.ok()) return games.status();
            return std::make_shared<const FoundGames>(*std::move(games), all->part());
          });
  if (!found.ok()) return found.status();
  return GameSet(base.database_ptr(), std::shared_ptr<const DeltaList>(*found, &(*found)->games()),
                 (*found)->part());
}

}  // namespace scidfs::fs
