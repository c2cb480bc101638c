#include "fs/views/found_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/search/facet_row.h"
#include "fs/search/search.h"

namespace scidfs::fs {
namespace {

// Returns the name of a database as tables have it: from the folder that shows several together,
// else its own.
std::string name_of_part(const Version& version, std::size_t part) {
  return version.together == nullptr ? codec::clean_line(version.database->name())
                                     : version.together->members[part].path;
}

// Returns whether `base=` means a database. Only a pattern with a slash meets the folders, too.
bool is_meant(const Facet& facet, std::string_view name) {
  const NamePattern& pattern = facet.condition().as<NamePattern>();
  if (pattern.value().find("%2F") == std::string::npos) {
    name.remove_prefix(name.rfind('/') + 1);
  }
  return NameMatcher(pattern).matches(name) != facet.is_negated;
}

bool is_chosen(std::string_view name, FacetGroups groups) {
  return std::ranges::all_of(groups, [&](const FacetGroup& group) {
    return std::ranges::all_of(group, [&](const Facet& facet) {
      return facet.row->stage != FacetStage::Bases || is_meant(facet, name);
    });
  });
}

// The search of the parts of a set, whose games and subjects it asks for at their first use.
class PartsSearch {
 public:
  PartsSearch(const Set& base, FacetGroups groups, const WorkBudget& budget)
      : base_(base), groups_(groups), budget_(budget) {}

  // Returns the games of a part that meet the facets, which are kept for the version of its
  // database.
  absl::StatusOr<GameSet> games(std::size_t part) {
    const Version& version = base_.version().part(part);
    if (!is_chosen(name_of_part(base_.version(), part), groups_)) {
      return GameSet(version.database, DeltaList());
    }
    const absl::StatusOr<std::shared_ptr<const FoundGames>> found =
        version.searches->results.get<FoundGames>(
            fmt::format("{}:{}", version.id, answer_key_of(base_.directory(), groups_)), budget_,
            [&] { return search_part(part); });
    if (!found.ok()) return found.status();
    return GameSet(version.database, std::shared_ptr<const DeltaList>(*found, &(*found)->games()),
                   (*found)->part());
  }

 private:
  absl::StatusOr<std::shared_ptr<const FoundGames>> search_part(std::size_t part) {
    if (!all_.has_value()) {
      absl::StatusOr<GameSets> all = base_.games(budget_);
      if (!all.ok()) return all.status();
      absl::StatusOr<std::vector<Subject>> subjects = base_.subject(budget_);
      if (!subjects.ok()) return subjects.status();
      all_ = *std::move(all);
      subjects_ = *std::move(subjects);
    }
    const GameSet& games = all_->parts()[part];
    std::optional<Subject> subject;
    if (!subjects_.empty()) subject = subjects_[part];
    absl::StatusOr<DeltaList> left = search(games, subject, groups_, budget_);
    if (!left.ok()) return left.status();
    return std::make_shared<const FoundGames>(*std::move(left), games.part());
  }

  const Set& base_;
  const FacetGroups groups_;
  const WorkBudget& budget_;
  std::optional<GameSets> all_;
  std::vector<Subject> subjects_;
};

}  // namespace

std::string answer_key_of(LocalId base, FacetGroups groups) {
  return fmt::format("{}/{}", pack({.place = base}), canonical_text(groups));
}

absl::StatusOr<GameSets> found_games(const Set& base, FacetGroups groups,
                                     const WorkBudget& budget) {
  if (groups.empty()) return base.games(budget);
  PartsSearch search(base, groups, budget);
  std::vector<GameSet> parts;
  for (std::size_t part = 0; part < base.version().parts(); ++part) {
    absl::StatusOr<GameSet> found = search.games(part);
    if (!found.ok()) return found.status();
    parts.push_back(*std::move(found));
  }
  return game_sets(base.version(), std::move(parts), budget);
}

}  // namespace scidfs::fs
