#include "fs/views/joined_set.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fs/base/names.h"
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

// The views whose tables are, of several databases, those of all.
constexpr std::array kJoinedTables = {kDatabaseView, kTournamentsView};

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

// Returns whether a child of a directory above sets is such a table.
bool is_joined_table(const Child& child) {
  return !child.is_directory &&
         std::ranges::find(kJoinedTables, child.place.view) != kJoinedTables.end();
}

std::optional<Child> look_up(const Version& version, LocalId directory, std::string_view name) {
  const View* const view = find_view(directory.view);
  std::optional<Child> child = view->lookup(version, directory, name);
  if (!child.has_value() || !is_joinable(*child)) return std::nullopt;
  return child;
}

// Returns the directory at a path below a database.
std::optional<LocalId> follow(const Version& version, std::string_view path) {
  LocalId place{};
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::optional<Child> child = look_up(version, place, path.substr(0, end));
    if (!child.has_value() || !child->is_directory) return std::nullopt;
    place = child->place;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return place;
}

}  // namespace

Query joined_query(std::string_view path) {
  return {.base = LocalId{}, .path = fmt::format("{}{}", kSign, path)};
}

bool is_joined(const Query& query) { return query.path.starts_with(kSign); }

std::string_view joined_path(const Query& query) { return std::string_view(query.path).substr(1); }

JoinedDirectory::JoinedDirectory(const Version& version, std::string_view path)
    : version_(version), path_(path) {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    places_.push_back(follow(version.part(part), path));
  }
}

bool JoinedDirectory::exists() const {
  return std::ranges::any_of(places_, [](const auto& place) { return place.has_value(); });
}

std::string JoinedDirectory::below(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}/{}", path_, name);
}

// A directory that is more than its parts has the same place as in a database. A file of games
// stands for the set that has its name, without the suffix.
std::optional<Child> JoinedDirectory::child(std::size_t part, const Child& of_part) const {
  if (is_more_than_parts(of_part.place)) return of_part;
  std::string_view name = of_part.name;
  if (!of_part.is_directory) {
    const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
    if (!stem.has_value()) return std::nullopt;
    const std::optional<Child> set = look_up(version_.part(part), *places_[part], *stem);
    if (!set.has_value() || !set->is_directory) return std::nullopt;
    name = *stem;
  }
  std::optional<Child> child = query_directory(version_, joined_query(below(name)), of_part.name);
  if (child.has_value() && !of_part.is_directory) {
    child->is_directory = false;
    child->place.entry = kSetGames;
  }
  return child;
}

absl::Status JoinedDirectory::list(std::uint64_t first, const WorkBudget& budget,
                                   EmitChild emit) const {
  absl::flat_hash_set<std::string> names;
  std::uint64_t position = 0;
  bool goes_on = true;
  for (std::size_t part = 0; part < places_.size() && goes_on; ++part) {
    if (!places_[part].has_value()) continue;
    absl::Status status = find_view(places_[part]->view)
                              ->list(version_.part(part), *places_[part], 0, budget,
                                     [&](const Child& of_part, std::uint64_t) {
                                       if (!is_joinable(of_part)) return true;
                                       if (!names.insert(of_part.name).second) return true;
                                       if (position++ < first) return true;
                                       std::optional<Child> joined = child(part, of_part);
                                       if (!joined.has_value()) return true;
                                       goes_on = emit(*std::move(joined), position);
                                       return goes_on;
                                     });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::optional<Child> JoinedDirectory::find(std::string_view name) const {
  for (std::size_t part = 0; part < places_.size(); ++part) {
    if (!places_[part].has_value()) continue;
    const View& view = *find_view(places_[part]->view);
    std::optional<Child> of_part = view.lookup(version_.part(part), *places_[part], name);
    if (!of_part.has_value()) continue;
    if (view.sets() == nullptr && is_joined_table(*of_part)) return of_part;
    if (!is_joinable(*of_part)) continue;
    std::optional<Child> joined = child(part, *of_part);
    if (joined.has_value()) return joined;
  }
  return std::nullopt;
}

LocalId JoinedDirectory::parent() const {
  const std::size_t slash = path_.rfind('/');
  if (slash == std::string::npos) return {};
  const std::optional<Child> above =
      query_directory(version_, joined_query(std::string_view(path_).substr(0, slash)), "");
  return above.has_value() ? above->place : LocalId{};
}

JoinedSet::JoinedSet(const Version& version, LocalId directory, std::string_view path,
                     JoinedDirectory joined, std::vector<SetPtr> sets)
    : Set(version, directory), path_(path), joined_(std::move(joined)), sets_(std::move(sets)) {}

SetPtr JoinedSet::bind(const Version& version, LocalId directory, std::string_view path) {
  JoinedDirectory joined(version, path);
  std::vector<SetPtr> sets;
  bool has_any = false;
  for (std::size_t part = 0; part < version.parts(); ++part) {
    const std::optional<LocalId>& place = joined.in(part);
    const SetView* const view = place.has_value() ? find_view(place->view)->sets() : nullptr;
    sets.push_back(view == nullptr ? nullptr : view->bind(version.part(part), *place));
    has_any = has_any || sets.back() != nullptr;
  }
  if (!has_any) return nullptr;
  return SetPtr(new JoinedSet(version, directory, path, std::move(joined), std::move(sets)));
}

const Set& JoinedSet::any() const {
  return **std::ranges::find_if(sets_, [](const SetPtr& set) { return set != nullptr; });
}

SetKind JoinedSet::kind() const {
  return any().kind() == SetKind::Opening ? SetKind::Opening : SetKind::Usual;
}

std::string JoinedSet::name() const {
  return path_.empty() ? "together" : path_.substr(path_.rfind('/') + 1);
}

std::string JoinedSet::title() const { return path_.empty() ? "All databases" : any().title(); }

absl::StatusOr<GameSets> JoinedSet::games(const WorkBudget& budget) const {
  std::vector<GameSet> parts;
  for (std::size_t part = 0; part < sets_.size(); ++part) {
    if (sets_[part] == nullptr) {
      parts.emplace_back(version().part(part).database, DeltaList());
      continue;
    }
    absl::StatusOr<GameSets> games = sets_[part]->games(budget);
    if (!games.ok()) return games.status();
    parts.push_back(games->only());
  }
  return game_sets(version(), std::move(parts), budget);
}

// A database without the player has no games of theirs.
absl::StatusOr<std::vector<Subject>> JoinedSet::subject(const WorkBudget& budget) const {
  std::vector<Subject> subjects;
  if (!has_subject()) return subjects;
  for (const SetPtr& set : sets_) {
    if (set == nullptr) {
      subjects.emplace_back();
      continue;
    }
    absl::StatusOr<std::vector<Subject>> of_part = set->subject(budget);
    if (!of_part.ok()) return of_part.status();
    subjects.push_back(of_part->front());
  }
  return subjects;
}

absl::Status JoinedSet::list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const {
  const std::vector<const SetFile*> files = listed_files(listing());
  bool stopped = false;
  absl::Status status = list_children(
      first, files.size(), [&](std::uint64_t i) { return set_child(*this, *files[i]); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (!status.ok() || stopped) return status;
  const std::uint64_t rest = first - std::min<std::uint64_t>(first, files.size());
  return joined_.list(rest, budget, [&](Child child, std::uint64_t next) {
    return emit(std::move(child), next + files.size());
  });
}

}  // namespace scidfs::fs
