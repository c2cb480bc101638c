// together/: the directories of several databases, joined path by path.
//
// A directory of together/ is a path, and stands for the directories at this path below each
// database; those of players, people, events and tournaments have the names of a CommonSet
// (fs/database/common_set.h) in the path. If these are sets, it is the set of the games of all of
// them. Its places are those of
// queries without conditions (is_joined()); the directory itself is that of the database view.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/reference/reference.h"
#include "fs/search/query.h"
#include "fs/search/query_context.h"
#include "fs/views/joined_places.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Returns the query that stands for a directory of together/, by its path.
Query joined_query(std::string_view path);
// Returns whether a query is one of these, and its path.
bool is_joined(const Query& query);
std::string_view joined_path(const Query& query);

// Returns what together/ has before its databases have been read: the files and directories of all
// that have games, and those that are always there.
std::vector<Child> children_before_reading(const std::shared_ptr<QueryContext>& searches,
                                           const Reference& reference);

class GroupedView;

// The directories at a path in each database, bound for a request.
class JoinedParts {
 public:
  // Looks for them in each database. REQUIRES: the version is one of several databases.
  JoinedParts(const Version& version, std::string_view path);

  const Version& version() const { return version_; }
  const std::string& path() const { return path_; }
  const JoinedPlaces& places() const { return *places_; }
  // Returns whether some database has the path.
  bool exists() const { return any() != nullptr; }
  // Returns the sets of a database there.
  std::vector<const Set*> sets_in(std::size_t part) const;

  // Lists the directories, the files of games that belong to sets, and tables of the sets below:
  // each name once, in the order of the first database that has it, and what is always here.
  // Errors: those of Node::list().
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const;
  // Finds such a child, or another one that databases do not list.
  std::optional<Child> find(std::string_view name) const;
  // Returns what a misspelled name may mean (Node::nearest()) in each database.
  absl::StatusOr<std::vector<std::string>> nearest(std::string_view name,
                                                   const WorkBudget& budget) const;
  // Returns the directory above.
  LocalId parent() const;

 private:
  static JoinedPlacesPtr places_of(const Version& version, std::string_view path);

  // Returns whether a directory is here though perhaps no database has it: see Together::has_pgn.
  bool is_always_here(std::string_view name) const;
  std::string path_of(std::string_view name) const;
  std::optional<JoinedPlaces> member(std::string_view name) const;
  JoinedPlaces look_up(std::string_view name) const;
  JoinedPlaces look_up_in_parts(std::string_view name) const;
  std::optional<Child> joined(std::string_view name) const;
  std::optional<Child> find_joined(std::string_view name, JoinedPlaces places) const;
  std::optional<Child> child(LocalId directory, const Child& of_part) const;
  // Returns a place in a database; null if none has any.
  static const LocalId* any_of(const JoinedPlaces& places);
  const LocalId* any() const { return any_of(*places_); }
  const GroupedView* groups() const;
  // Calls visit(place, node) for each place until it returns false.
  void for_each(absl::FunctionRef<bool(LocalId place, const ViewNode& node)> visit) const;
  absl::Status list_parts(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const;

  const Version& version_;
  const std::string path_;
  const JoinedPlacesPtr places_;
  std::vector<std::vector<ViewNodePtr>> nodes_;  // of the places
};

// A directory of together/ that is no set.
class JoinedDirectory : public ViewNode {
 public:
  // Return the directory at a path, and the set there; null if no database has one.
  static ViewNodePtr bind(const Version& version, LocalId directory, std::string_view path);
  static SetPtr set_of(const Version& version, LocalId directory, std::string_view path);

  explicit JoinedDirectory(JoinedParts parts) : parts_(std::move(parts)) {}

  bool is_directory() const override { return true; }
  LocalId parent() const override { return parts_.parent(); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override {
    return parts_.list(first, budget, emit);
  }
  std::optional<Child> find(std::string_view name) const override { return parts_.find(name); }
  absl::StatusOr<std::vector<std::string>> nearest(std::string_view name,
                                                   const WorkBudget& budget) const override {
    return parts_.nearest(name, budget);
  }

 private:
  const JoinedParts parts_;
};

// The sets at a path.
class JoinedSet : public Set {
 public:
  // REQUIRES: some database has a set there.
  JoinedSet(LocalId directory, JoinedParts parts);

  bool has_all_games() const override { return parts_.path().empty(); }
  bool is_of_openings() const override { return any().is_of_openings(); }
  const EventSet* event() const override { return any().event(); }
  Listing listing() const override { return any().listing(); }
  std::string directories_in(std::size_t part) const override;
  // Has a part for each database, which may be empty.
  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override;
  bool has_subject() const override { return any().has_subject(); }
  absl::StatusOr<std::vector<Subject>> subject(const WorkBudget& budget) const override;
  Identities::Of players_are() const override { return any().players_are(); }
  std::string name() const override;
  LocalId parent() const override { return parts_.parent(); }
  std::string title() const override;
  absl::StatusOr<std::string> introduction(const Version& whole,
                                           const WorkBudget& budget) const override {
    return any().introduction(whole, budget);
  }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const GameSet& games,
                                                           const WorkBudget& budget) const override;

 protected:
  std::optional<Child> find_child(std::string_view name) const override;

 private:
  // Returns the first of the sets.
  const Set& any() const;

  const JoinedParts parts_;
  std::vector<std::vector<const Set*>> sets_;  // by part
};

}  // namespace scidfs::fs
