#include "fs/views/query_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fs/search/facet_row.h"
#include "fs/views/all.h"
#include "fs/views/found_games.h"
#include "fs/views/joined_set.h"
#include "fs/views/position_set.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

bool has_player(const FacetGroup& group) {
  return std::ranges::any_of(
      group, [](const Facet& facet) { return role_of(facet) == FacetRole::Player; });
}

bool has_person(const FacetGroup& group) {
  return std::ranges::any_of(group, [](const Facet& facet) {
    return role_of(facet) == FacetRole::Player && facet.row->stage == FacetStage::Persons;
  });
}

// Keys are numbers of queries, see query_number().
SetPtr bind_query(const Version& version, LocalId directory) {
  QueryPtr query = version.searches->queries.find(query_number(directory));
  if (query == nullptr) return nullptr;
  if (is_joined(*query)) {
    if (!version.is_together()) return nullptr;
    return JoinedDirectory::set_of(version, directory, joined_path(*query));
  }
  // Only sets have a search/.
  SetPtr base = find_view(query->base.view)->sets()->set_of(version, query->base);
  if (base == nullptr) return nullptr;
  if (query->line == nullptr) {
    return std::make_unique<QuerySet>(version, directory, std::move(query), std::move(base));
  }
  return std::make_unique<PositionSet>(version, directory, std::move(query), std::move(base));
}

}  // namespace

// A program that walks all listed directories has found these games already.
Listing QuerySet::listing() const { return is_listed(*query_) ? Listing::Tables : Listing::Games; }

bool QuerySet::is_sum_of_parts() const {
  return base_->is_sum_of_parts() && std::ranges::none_of(query_->groups, &depends_on_others);
}

absl::StatusOr<GameSet> QuerySet::games(const WorkBudget& budget) const {
  return found_games(*base_, query_->groups, budget);
}

bool QuerySet::has_subject() const {
  if (base_->has_subject()) return true;
  return std::ranges::any_of(query_->groups, &has_player);
}

absl::StatusOr<std::vector<Subject>> QuerySet::subject(const WorkBudget& budget) const {
  return subjects_of(*base_, query_->groups, budget);
}

Identities::Of QuerySet::players_are() const {
  return std::ranges::any_of(query_->groups, &has_person) ? Identities::Of::Persons
                                                          : base_->players_are();
}

std::string QuerySet::name() const { return query_->path.substr(query_->path.rfind('/') + 1); }

// Follows the path again, up to its last name.
LocalId QuerySet::parent() const {
  LocalId above = query_->base;
  std::string_view rest = query_->path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    const ViewNodePtr node = bind_place(version(), above);
    const std::optional<Child> child =
        node == nullptr ? std::nullopt : node->find(rest.substr(0, slash));
    if (!child.has_value()) return query_->base;
    above = child->place;
    rest.remove_prefix(slash + 1);
  }
  return above;
}

std::string QuerySet::title() const {
  constexpr std::string_view kSearch = "search/";
  std::string asked = query_->path;
  if (asked.starts_with(kSearch)) asked.erase(0, kSearch.size());
  if (base_->is_database()) return asked;
  return fmt::format("{}: {}", base_->title(), asked);
}

std::string QuerySet::answer_key() const { return answer_key_of(query_->base, query_->groups); }

// In against/, the file of a player without games is not found, though a set may be empty.
absl::StatusOr<std::unique_ptr<Content>> QuerySet::open_games_file(const GameSet& games,
                                                                   const WorkBudget& budget) const {
  if (games.empty() && is_against(*query_)) return absl::NotFoundError("no games");
  return Set::open_games_file(games, budget);
}

std::optional<Child> QuerySet::find_child(std::string_view name) const {
  if (name.find('=') == std::string_view::npos) return std::nullopt;
  // In its own directory, `eco=B90.pgn` is the file of its games.
  if (name == this->name() + ".pgn") return std::nullopt;
  return find_in_answer(*this, name);
}

// The answers to queries, and the directories of together/, of which some are no sets.
class QueryView : public SetView {
 public:
  QueryView() : SetView(kQueryView, &bind_query) {}

  ViewNodePtr bind(const Version& version, LocalId place) const override {
    if (!version.is_together() || place.entry != kSet) return SetView::bind(version, place);
    const QueryPtr query = version.searches->queries.find(query_number(place));
    if (query == nullptr || !is_joined(*query)) return SetView::bind(version, place);
    return JoinedDirectory::bind(version, place, joined_path(*query));
  }
};

const SetView& query_view() {
  static const QueryView kView;
  return kView;
}

}  // namespace scidfs::fs
