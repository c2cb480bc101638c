#include "fs/views/found_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/common_players.h"
#include "fs/scan/set_cut.h"
#include "fs/search/facet_row.h"
#include "fs/search/first_search.h"
#include "fs/search/search.h"
#include "fs/views/repertoires.h"

namespace scidfs::fs {
namespace {

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

// Returns the facet of a stage of which a group has one at most; null if it has none.
const Facet* find_only(const FacetGroup& group, FacetStage stage) {
  const auto found =
      std::ranges::find(group, stage, [](const Facet& facet) { return facet.row->stage; });
  return found == group.end() ? nullptr : &*found;
}
const Facet* find_set_part(const FacetGroup& group) { return find_only(group, FacetStage::Parts); }
const Facet* find_firsts(const FacetGroup& group) { return find_only(group, FacetStage::Firsts); }

bool asks_for_lines(const FacetGroup& group) {
  return std::ranges::any_of(
      group, [](const Facet& facet) { return facet.row->stage == FacetStage::Lines; });
}

bool asks_for_persons(const FacetGroup& group) {
  return std::ranges::any_of(
      group, [](const Facet& facet) { return facet.row->stage == FacetStage::Persons; });
}

// Returns the players for searches: those of all databases if a person is asked for, who has the
// spellings of all, else those of each database by itself.
class SearchedPlayers {
 public:
  static absl::StatusOr<SearchedPlayers> of(const Version& version, FacetGroups groups,
                                            const WorkBudget& budget) {
    SearchedPlayers players;
    if (!version.is_together() || std::ranges::none_of(groups, &asks_for_persons)) {
      for (std::size_t part = 0; part < version.parts(); ++part) {
        players.own_.emplace_back(version.databases[part]);
      }
      return players;
    }
    ASSIGN_OR_RETURN(CommonPlayersPtr all, players_with_people(version, budget));
    players.all_ = std::move(all);
    return players;
  }

  PlayersOfPart part(std::size_t part) const {
    if (all_ == nullptr) return {.all = own_[part]};
    return {.all = *all_, .part = part};
  }

 private:
  std::deque<CommonPlayers> own_;
  CommonPlayersPtr all_;
};

// A condition that the others may not change places with.
struct Cut {
  const Facet* facet = nullptr;  // null: there is none
  std::size_t groups = 0;        // of how many groups it cuts what they leave
};

// Returns the last of them: `part=`, which cuts what the groups before its own leave, or `first=`,
// which cuts what its own leaves, too.
Cut find_last_cut(FacetGroups groups) {
  for (std::size_t group = groups.size(); group-- > 0;) {
    const Facet* const firsts = find_firsts(groups[group]);
    if (firsts != nullptr) return {.facet = firsts, .groups = group + 1};
    const Facet* const part = find_set_part(groups[group]);
    if (part != nullptr) return {.facet = part, .groups = group};
  }
  return {};
}

// Returns the games of the part of a set that `part=` in a group means.
absl::StatusOr<GameSet> games_of_part(const Set& base, FacetGroups before, const Facet& facet,
                                      const WorkBudget& budget) {
  const auto& part = facet.condition().as<SetPart>();
  const Version& version = base.version();
  ASSIGN_OR_RETURN(
      const std::shared_ptr<const SetCut> cut,
      version.searches->results.get<SetCut>(
          fmt::format("{}:{}:{}", version.id, answer_key_of(base.directory(), before), part.of),
          budget, [&]() -> absl::StatusOr<std::shared_ptr<const SetCut>> {
            ASSIGN_OR_RETURN(const GameSet games, found_games(base, before, budget));
            std::vector<DatabaseGames> parts = games.parts();
            // A kept result that named its databases would keep the version that keeps it.
            for (DatabaseGames& each : parts) each.set_database_path(nullptr);
            return SetCut::make(GameSet(std::move(parts)), part.of, budget);
          }));
  ASSIGN_OR_RETURN(std::vector<DatabaseGames> games, facet.is_negated
                                                         ? cut->others(part.number, budget)
                                                         : cut->part(part.number, budget));
  return game_set(version, std::move(games), budget);
}

// Returns the games that `first=` in the last group takes of those that all else leaves.
absl::StatusOr<GameSet> first_of(const Set& base, FacetGroups groups, const Facet& facet,
                                 const WorkBudget& budget) {
  std::vector<FacetGroup> others(groups.begin(), groups.end());
  std::erase_if(others.back(),
                [](const Facet& one) { return one.row->stage == FacetStage::Firsts; });
  if (others.back().empty()) others.pop_back();
  ASSIGN_OR_RETURN(const GameSet left, found_games(base, others, budget));
  ASSIGN_OR_RETURN(std::vector<DatabaseGames> games,
                   find_first(left, facet.condition().as<FirstGames>(), budget));
  return GameSet(std::move(games));
}

// The search of the parts of a set, whose games and subjects it asks for at their first use.
class PartsSearch {
 public:
  PartsSearch(const Set& base, FacetGroups groups, const WorkBudget& budget)
      : base_(base), groups_(groups), cut_(find_last_cut(groups)), budget_(budget) {}

  // Returns the games of a part that meet the facets. They are kept for the version of its
  // database, unless they depend on the others.
  absl::StatusOr<DatabaseGames> games(std::size_t part) {
    const Version& version = base_.version().part(part);
    if (!is_chosen(base_.version().path_of(part), groups_)) {
      return DatabaseGames(version.database(), DeltaList());
    }
    const std::string owner = base_.owner_of_part(
        part, base_.is_sum_of_parts() && std::ranges::none_of(groups_, &depends_on_others));
    ASSIGN_OR_RETURN(const std::shared_ptr<const FoundGames> found,
                     version.searches->results.get<FoundGames>(
                         fmt::format("{}:{}", owner, answer_key_of(base_.directory(), groups_)),
                         budget_, [&] { return search_part(part); }));
    return DatabaseGames(version.database(),
                         std::shared_ptr<const DeltaList>(found, &found->games()), found->part());
  }

 private:
  absl::StatusOr<std::shared_ptr<const FoundGames>> search_part(std::size_t part) {
    const FacetGroups before = groups_.first(cut_.groups);
    if (!all_.has_value()) {
      ASSIGN_OR_RETURN(GameSet all, games_of_cut());
      ASSIGN_OR_RETURN(std::vector<Subject> subjects, subjects_of(base_, before, budget_));
      ASSIGN_OR_RETURN(SearchedPlayers players,
                       SearchedPlayers::of(base_.version(), groups_, budget_));
      players_ = std::move(players);
      all_ = std::move(all);
      subjects_ = std::move(subjects);
    }
    const DatabaseGames& games = (*all_)[part];
    std::optional<Subject> subject;
    if (!subjects_.empty()) subject = subjects_[part];
    const FacetGroups after = groups_.subspan(before.size());
    ASSIGN_OR_RETURN(DeltaList left, search(games, players_.part(part), subject, after, budget_));
    if (std::ranges::any_of(after, &asks_for_lines)) {
      ASSIGN_OR_RETURN(subject,
                       subject_of(players_.part(part), std::move(subject), after, budget_));
      ASSIGN_OR_RETURN(left, within_lines(games, std::move(left), subject, after));
    }
    return std::make_shared<const FoundGames>(std::move(left), games.part());
  }

  // Returns those of the games of a part that are within the lines that the groups name.
  absl::StatusOr<DeltaList> within_lines(const DatabaseGames& of_part, DeltaList games,
                                         const std::optional<Subject>& subject,
                                         FacetGroups groups) const {
    for (const FacetGroup& group : groups) {
      for (const Facet& facet : group) {
        if (facet.row->stage != FacetStage::Lines) continue;
        const DatabaseGames left(of_part.database(), std::move(games), of_part.part());
        ASSIGN_OR_RETURN(games, games_within(base_.version(), left, subject, facet, budget_));
      }
    }
    return games;
  }

  // Returns the games that the groups after the cut narrow. If there are some, those of `first=`
  // are kept, since other searches narrow them, too.
  absl::StatusOr<GameSet> games_of_cut() const {
    if (cut_.facet == nullptr) return base_.games(budget_);
    const FacetGroups before = groups_.first(cut_.groups);
    if (cut_.facet->row->stage == FacetStage::Parts) {
      return games_of_part(base_, before, *cut_.facet, budget_);
    }
    if (before.size() != groups_.size()) return found_games(base_, before, budget_);
    return first_of(base_, before, *cut_.facet, budget_);
  }

  const Set& base_;
  const FacetGroups groups_;
  const Cut cut_;
  const WorkBudget& budget_;
  std::optional<GameSet> all_;
  std::vector<Subject> subjects_;
  SearchedPlayers players_;
};

}  // namespace

bool depends_on_others(const FacetGroup& group) {
  return find_set_part(group) != nullptr || find_firsts(group) != nullptr ||
         asks_for_persons(group) || asks_for_lines(group);
}

std::string answer_key_of(LocalId base, FacetGroups groups) {
  // Conditions have no order, but a `part=` applies to what those before it leave, and those after
  // a `first=` to what it takes.
  std::string key = fmt::format("{}/", pack({.place = base}));
  std::size_t begin = 0;
  for (std::size_t group = 1; group < groups.size(); ++group) {
    if (find_set_part(groups[group]) == nullptr && find_firsts(groups[group - 1]) == nullptr) {
      continue;
    }
    key += canonical_text(groups.subspan(begin, group - begin)) + "|";
    begin = group;
  }
  return key + canonical_text(groups.subspan(begin));
}

absl::StatusOr<std::vector<Subject>> subjects_of(const Set& base, FacetGroups groups,
                                                 const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::vector<Subject> of_base, base.subject(budget));
  const Version& version = base.version();
  ASSIGN_OR_RETURN(const SearchedPlayers players, SearchedPlayers::of(version, groups, budget));
  std::vector<Subject> subjects;
  for (std::size_t part = 0; part < version.parts(); ++part) {
    std::optional<Subject> subject;
    if (!of_base.empty()) subject = of_base[part];
    ASSIGN_OR_RETURN(std::optional<Subject> asked,
                     subject_of(players.part(part), std::move(subject), groups, budget));
    if (asked.has_value()) subjects.push_back(*std::move(asked));
  }
  return subjects;
}

absl::StatusOr<GameSet> found_games(const Set& base, FacetGroups groups, const WorkBudget& budget) {
  if (groups.empty()) return base.games(budget);
  PartsSearch search(base, groups, budget);
  std::vector<DatabaseGames> parts;
  for (std::size_t part = 0; part < base.version().parts(); ++part) {
    ASSIGN_OR_RETURN(DatabaseGames found, search.games(part));
    parts.push_back(std::move(found));
  }
  return game_set(base.version(), std::move(parts), budget);
}

}  // namespace scidfs::fs
