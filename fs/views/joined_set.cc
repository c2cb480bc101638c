#include "fs/views/joined_set.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>

#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/content/sort.h"
#include "fs/views/all.h"
#include "fs/views/database_files.h"
#include "fs/views/event_set.h"
#include "fs/views/grouped_view.h"
#include "fs/views/query_directory.h"
#include "fs/views/set_files.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

// What is not joined: each game by its number, and what a single database tells of itself.
constexpr std::array kNotJoined = {kGamesView, kFensView, kDeletedView, kUniqueView,
                                   kDirectoryPagesView};

// Returns whether a directory of several databases is more than those at its path.
bool is_more_than_parts(LocalId directory) { return directory.view == kDoublesView; }

// The views whose tables above sets are, of several databases, those of all.
constexpr std::array kJoinedTables = {kDatabaseView, kPeopleView, kTournamentsView};

// No path of a question begins with a slash.
constexpr char kSign = '/';

// Returns whether a child of a database's directory has a joined one.
bool is_joinable(const Child& child) {
  if (!child.refusal.ok() || child.mounted.has_value() || is_query(child.place)) return false;
  if (std::ranges::find(kNotJoined, child.place.view) != kNotJoined.end()) return false;
  const View* const view = find_view(child.place.view);
  if (view == nullptr) return false;
  if (!child.is_directory) return view->sets() != nullptr && child.place.entry == kSetGames;
  return view->sets() == nullptr || child.place.entry == kSet;
}

// Returns whether a child of a directory is such a table.
bool is_joined_table(LocalId directory, const Child& child) {
  return find_view(directory.view)->sets() == nullptr && !child.is_directory &&
         std::ranges::find(kJoinedTables, child.place.view) != kJoinedTables.end();
}

// Returns whether a child of a database's directory may be in the joined one, too.
bool is_here(LocalId directory, const Child& child) {
  return is_joined_table(directory, child) || is_joinable(child);
}

// Returns the games of some sets of one database. Errors: those of Set::games().
absl::StatusOr<DatabaseGames> games_of_any(std::span<const Set* const> sets,
                                           const WorkBudget& budget) {
  std::vector<GameIndex> games;
  for (const Set* const set : sets) {
    const absl::StatusOr<GameSet> of_set = set->games(budget);
    if (!of_set.ok() || sets.size() == 1) {
      return of_set.ok() ? absl::StatusOr<DatabaseGames>(of_set->only()) : of_set.status();
    }
    GameList::Cursor rest = of_set->only().begin();
    for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) games.push_back(game);
  }
  RETURN_IF_ERROR(sort_while_wanted(std::span(games), budget));
  games.erase(std::unique(games.begin(), games.end()), games.end());
  DeltaList all;
  for (const GameIndex game : games) all.add(game);
  return DatabaseGames(sets.front()->database_ptr(), std::move(all));
}

// Returns one player with the names of some: all of one database, all persons or all spellings.
Subject merge_subjects(std::span<const Subject> subjects, std::uint32_t names) {
  if (subjects.size() == 1) return subjects.front();
  const auto merged = [subjects](std::uint32_t count, NameIds Subject::*const of) {
    std::vector<bool> ids(count);
    for (std::uint32_t id = 0; id < count; ++id) {
      ids[id] = std::ranges::any_of(
          subjects, [of, id](const Subject& subject) { return (subject.*of).contains(id); });
    }
    return NameIds(std::move(ids));
  };
  const People* const people = subjects.front().people;
  Subject all{.players = merged(names, &Subject::players), .color = subjects.front().color};
  if (people == nullptr) return all;
  all.people = people;
  all.identities = merged(people->identities(), &Subject::identities);
  return all;
}

}  // namespace

Query joined_query(std::string_view path) {
  return {.base = LocalId{}, .path = fmt::format("{}{}", kSign, path)};
}

bool is_joined(const Query& query) { return query.path.starts_with(kSign); }

std::string_view joined_path(const Query& query) { return std::string_view(query.path).substr(1); }

std::vector<Child> children_before_reading(const std::shared_ptr<QueryContext>& searches,
                                           const Reference& reference) {
  const Version unread{.databases = {}, .searches = searches};
  std::vector<Child> children;
  const auto add = [&children](std::optional<Child> child) {
    if (child.has_value()) children.push_back(*std::move(child));
  };
  for (const SetFile* const file : listed_files(Listing::Database)) {
    if (file->has != nullptr || (file->needs_spelling && reference.spelling == nullptr)) continue;
    if (file->child != nullptr) {
      add(query_directory(unread, asked_in_tree({}), file->name));
    } else {
      add(Child{.name = std::string(file->name),
                .place = {.entry = file->entry},
                .is_directory = file->is_directory()});
    }
  }
  for (std::uint8_t number = 0; number < kViews; ++number) {
    const View& view = *find_view(number);
    const LocalId place = {.view = number};
    const bool is_joined = std::ranges::find(kNotJoined, number) == kNotJoined.end();
    if (view.name().empty() || !view.is_known(reference) || !is_joined) continue;
    if (is_more_than_parts(place)) {
      add(Child{.name = std::string(view.name()), .place = place, .is_directory = true});
    } else {
      add(query_directory(unread, joined_query(view.name()), view.name()));
    }
  }
  return children;
}

JoinedParts::JoinedParts(const Version& version, std::string_view path)
    : version_(version), path_(path), places_(places_of(version, path)), nodes_(version.parts()) {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    for (const LocalId place : (*places_)[part]) {
      nodes_[part].push_back(bind_place(version.part(part), place));
    }
  }
}

// Finds the last name of the path above, unless the path is known. Does not keep that there is
// nothing: the names of players may have been too much for the memory at the moment.
JoinedPlacesPtr JoinedParts::places_of(const Version& version, std::string_view path) {
  assert(version.is_together());
  KnownPlaces& known = *version.together->known_places;
  JoinedPlacesPtr places = known.find(path);
  if (places != nullptr) return places;
  if (path.empty()) {
    places = std::make_shared<const JoinedPlaces>(version.parts(), std::vector{LocalId{}});
  } else {
    const std::size_t slash = path.rfind('/');
    const JoinedParts above(version, slash == std::string_view::npos ? "" : path.substr(0, slash));
    places = std::make_shared<const JoinedPlaces>(
        above.exists() ? above.look_up(path.substr(slash + 1)) : JoinedPlaces(version.parts()));
  }
  if (any_of(*places) != nullptr) known.keep(path, places);
  return places;
}

const LocalId* JoinedParts::any_of(const JoinedPlaces& places) {
  for (const std::vector<LocalId>& of_part : places) {
    if (!of_part.empty()) return &of_part.front();
  }
  return nullptr;
}

std::vector<const Set*> JoinedParts::sets_in(std::size_t part) const {
  std::vector<const Set*> sets;
  for (const ViewNodePtr& node : nodes_[part]) {
    if (node != nullptr && node->set() != nullptr) sets.push_back(node->set());
  }
  return sets;
}

void JoinedParts::for_each(
    absl::FunctionRef<bool(LocalId place, const ViewNode& node)> visit) const {
  for (std::size_t part = 0; part < nodes_.size(); ++part) {
    for (std::size_t i = 0; i < nodes_[part].size(); ++i) {
      const ViewNode* const node = nodes_[part][i].get();
      if (node != nullptr && !visit((*places_)[part][i], *node)) return;
    }
  }
}

// Returns the view of a directory, which exists, if it has groups; else null.
const GroupedView* JoinedParts::groups() const { return find_view(any()->view)->groups(); }

// Returns the places of the member that a name means; nothing if it is no name of members.
std::optional<JoinedPlaces> JoinedParts::member(std::string_view name) const {
  return groups() == nullptr ? std::nullopt : groups()->find_joined(version_, *any(), name);
}

// Returns the places of a directory in this one, which exists.
JoinedPlaces JoinedParts::look_up(std::string_view name) const {
  std::optional<JoinedPlaces> places = member(name);
  return places.has_value() ? *std::move(places) : look_up_in_parts(name);
}

bool JoinedParts::is_always_here(std::string_view name) const {
  return path_.empty() && version_.together->has_pgn && name == flags_view().name();
}

// Returns the same of a name that is no member's.
JoinedPlaces JoinedParts::look_up_in_parts(std::string_view name) const {
  if (is_always_here(name)) return {nodes_.size(), {{.view = kFlagsView}}};
  JoinedPlaces found(nodes_.size());
  for (std::size_t part = 0; part < nodes_.size(); ++part) {
    for (const ViewNodePtr& node : nodes_[part]) {
      const std::optional<Child> child = node == nullptr ? std::nullopt : node->find(name);
      if (child.has_value() && child->is_directory && is_joinable(*child)) {
        found[part].push_back(child->place);
      }
    }
  }
  return found;
}

std::string JoinedParts::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}/{}", path_, name);
}

// Returns a directory in this one, which has it.
std::optional<Child> JoinedParts::joined(std::string_view name) const {
  return query_directory(version_, joined_query(path_of(name)), name);
}

// Returns the same, if it has places, for a request that is about to use them.
std::optional<Child> JoinedParts::find_joined(std::string_view name, JoinedPlaces places) const {
  if (any_of(places) == nullptr) return std::nullopt;
  version_.together->known_places->keep(path_of(name),
                                        std::make_shared<const JoinedPlaces>(std::move(places)));
  return joined(name);
}

// Returns what a child of a database's directory is here. A table, and a directory that is more
// than its parts, have the same place as in a database. A file of games stands for the set that has
// its name, without the suffix. REQUIRES: is_here().
std::optional<Child> JoinedParts::child(LocalId directory, const Child& of_part) const {
  assert(is_here(directory, of_part));
  if (is_joined_table(directory, of_part) || is_more_than_parts(of_part.place)) return of_part;
  if (of_part.is_directory) return joined(of_part.name);
  const std::optional<std::string_view> stem = strip_suffix(of_part.name, ".pgn");
  if (!stem.has_value()) return std::nullopt;
  std::optional<Child> child = find_joined(*stem, look_up(*stem));
  if (!child.has_value()) return std::nullopt;
  child->name = of_part.name;
  child->is_directory = false;
  child->place.entry = kSetGames;
  return child;
}

absl::StatusOr<std::vector<std::string>> JoinedParts::nearest(std::string_view name,
                                                              const WorkBudget& budget) const {
  std::vector<std::string> names;
  absl::Status status;
  for_each([&](LocalId, const ViewNode& node) {
    const auto found = node.nearest(name, budget);
    status = found.status();
    if (status.ok()) names.insert(names.end(), found->begin(), found->end());
    return status.ok();
  });
  RETURN_IF_ERROR(status);
  return names;
}

absl::Status JoinedParts::list(std::uint64_t first, const WorkBudget& budget,
                               EmitChild emit) const {
  if (groups() == nullptr || !GroupedView::is_group(*any())) return list_parts(first, budget, emit);
  return groups()->list_joined(version_, *any(), first, budget,
                               [&](const Child& member, std::uint64_t next) {
                                 std::optional<Child> child = joined(member.name);
                                 return !child.has_value() || emit(*std::move(child), next);
                               });
}

absl::Status JoinedParts::list_parts(std::uint64_t first, const WorkBudget& budget,
                                     EmitChild emit) const {
  absl::flat_hash_set<std::string> names;
  std::uint64_t position = 0;
  bool goes_on = true;
  absl::Status status;
  const auto take = [&](LocalId place, const Child& of_part) {
    if (!is_here(place, of_part) || !names.insert(of_part.name).second) return true;
    if (position++ < first) return true;
    std::optional<Child> joined = child(place, of_part);
    goes_on = !joined.has_value() || emit(*std::move(joined), position);
    return goes_on;
  };
  for_each([&](LocalId place, const ViewNode& node) {
    status = node.list(0, budget,
                       [&](const Child& of_part, std::uint64_t) { return take(place, of_part); });
    return goes_on && status.ok();
  });
  const std::string flags(flags_view().name());
  if (!status.ok() || !goes_on || !is_always_here(flags) || names.contains(flags)) return status;
  if (position >= first) {
    if (std::optional<Child> child = joined(flags)) emit(*std::move(child), position + 1);
  }
  return status;
}

std::optional<Child> JoinedParts::find(std::string_view name) const {
  if (std::optional<JoinedPlaces> places = member(name); places.has_value()) {
    return find_joined(name, *std::move(places));
  }
  if (is_always_here(name)) return find_joined(name, look_up_in_parts(name));
  std::optional<Child> found;
  for_each([&](LocalId place, const ViewNode& node) {
    const std::optional<Child> of_part = node.find(name);
    if (!of_part.has_value() || !is_here(place, *of_part)) return true;
    const bool is_joined_here = of_part->is_directory && !is_more_than_parts(of_part->place);
    found = is_joined_here ? find_joined(name, look_up_in_parts(name)) : child(place, *of_part);
    return !found.has_value();
  });
  return found;
}

LocalId JoinedParts::parent() const {
  const std::size_t slash = path_.rfind('/');
  if (slash == std::string::npos) return {};
  const std::optional<Child> above =
      query_directory(version_, joined_query(std::string_view(path_).substr(0, slash)), "");
  return above.has_value() ? above->place : LocalId{};
}

ViewNodePtr JoinedDirectory::bind(const Version& version, LocalId directory,
                                  std::string_view path) {
  JoinedParts parts(version, path);
  if (!parts.exists()) return nullptr;
  bool has_set = false;
  for (std::size_t part = 0; part < version.parts(); ++part) {
    has_set = has_set || !parts.sets_in(part).empty();
  }
  if (has_set) return std::make_shared<const JoinedSet>(directory, std::move(parts));
  return std::make_shared<const JoinedDirectory>(std::move(parts));
}

SetPtr JoinedDirectory::set_of(const Version& version, LocalId directory, std::string_view path) {
  const ViewNodePtr node = bind(version, directory, path);
  return node == nullptr || node->set() == nullptr ? nullptr : SetPtr(node, node->set());
}

JoinedSet::JoinedSet(LocalId directory, JoinedParts parts)
    : Set(parts.version(), directory), parts_(std::move(parts)), sets_(version().parts()) {
  for (std::size_t part = 0; part < sets_.size(); ++part) sets_[part] = parts_.sets_in(part);
}

const Set& JoinedSet::any() const {
  return *std::ranges::find_if(sets_, [](const auto& of_part) {
            return !of_part.empty();
          })->front();
}

std::string JoinedSet::directories_in(std::size_t part) const {
  std::string places;
  for (const LocalId place : parts_.places()[part]) {
    places += fmt::format("@{}", pack({.place = place}));
  }
  return places;
}

std::string JoinedSet::name() const {
  const std::string& path = parts_.path();
  return path.empty() ? "together" : path.substr(path.rfind('/') + 1);
}

std::string JoinedSet::title() const {
  return parts_.path().empty() ? "All databases" : any().title();
}

absl::StatusOr<GameSet> JoinedSet::games(const WorkBudget& budget) const {
  std::vector<DatabaseGames> parts;
  for (std::size_t part = 0; part < sets_.size(); ++part) {
    if (sets_[part].empty()) {
      parts.emplace_back(version().databases[part], DeltaList());
      continue;
    }
    ASSIGN_OR_RETURN(DatabaseGames games, games_of_any(sets_[part], budget));
    parts.push_back(std::move(games));
  }
  return game_set(version(), std::move(parts), budget);
}

// A database without the player has no games of theirs.
absl::StatusOr<std::vector<Subject>> JoinedSet::subject(const WorkBudget& budget) const {
  std::vector<Subject> subjects;
  if (!has_subject()) return subjects;
  for (const std::vector<const Set*>& sets : sets_) {
    std::vector<Subject> of_part;
    for (const Set* const set : sets) {
      ASSIGN_OR_RETURN(const std::vector<Subject> of_set, set->subject(budget));
      of_part.push_back(of_set.front());
    }
    if (sets.empty()) of_part.emplace_back();
    const std::size_t part = subjects.size();
    subjects.push_back(merge_subjects(
        of_part, version().databases[part]->names()[codec::scid::NameKind::Player].size()));
  }
  return subjects;
}

absl::StatusOr<std::unique_ptr<Content>> JoinedSet::open_games_file(
    const GameSet& games, const WorkBudget& budget) const {
  return event() == nullptr ? Set::open_games_file(games, budget)
                            : open_event_games(*this, games, budget);
}

absl::Status JoinedSet::list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const {
  const std::vector<const SetFile*> files = listed_files(listing());
  const bool is_top = directory() == LocalId{};
  const std::uint64_t own = files.size() + (is_top ? 1 : 0);
  bool stopped = false;
  absl::Status status = list_children(
      first, own,
      [&](std::uint64_t i) {
        return i < files.size() ? set_child(*this, *files[i]) : database_file(version(), 0);
      },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (!status.ok() || stopped) return status;
  return parts_.list(first - std::min(first, own), budget, [&](Child child, std::uint64_t next) {
    return emit(std::move(child), next + own);
  });
}

std::optional<Child> JoinedSet::find_child(std::string_view name) const {
  std::optional<Child> found;
  if (directory() == LocalId{}) found = find_database_file(version(), name);
  return found.has_value() ? found : parts_.find(name);
}

}  // namespace scidfs::fs
