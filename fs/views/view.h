// Views: the directories into which a database is sorted. Each is one class in a file of its own
// and one entry in the table in view.cc.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/node.h"
#include "fs/content/work_budget.h"
#include "fs/views/numbers.h"
#include "fs/views/version.h"

namespace scidfs::fs {

class GroupedView;
class SetView;

class Set;

// A directory or a file of a view; the version outlives it.
class ViewNode : public Node {
 public:
  // Returns this directory as a set; null if it is none.
  virtual const Set* set() const { return nullptr; }
  // Lists the pages and pictures of the games in this directory, which list() leaves out.
  virtual absl::Status list_game_pages(std::uint64_t /*first*/, EmitChild) const {
    return absl::OkStatus();
  }
};
using ViewNodePtr = std::shared_ptr<const ViewNode>;

// A view has no state; any thread may call it. Places are those of the view: `view` is its number,
// and the view defines entry and key. Children may have places of other views. Places may come from
// outside: a meaningless place does not exist.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  // Return the name of the view's directory in the directory of the database, and whether it is
  // there. An empty name: it has none; other views lead to its places.
  virtual std::string_view name() const { return {}; }
  virtual bool has_content(const Database& database) const { return !database.shown().empty(); }
  // Returns whether the view exists at all, given the reference data.
  virtual bool is_known(const Reference&) const { return true; }

  // Returns this view if its directories are sets; else null.
  virtual const SetView* sets() const { return nullptr; }
  // Returns this view if its directories are groups of sets with names of their own; else null.
  virtual const GroupedView* groups() const { return nullptr; }

  // Return what the number of a place tells, in any version: whether it is a directory, or a table
  // of tab-separated values, which has a twin, `NAME.csv`.
  virtual bool is_directory(LocalId place) const = 0;
  virtual bool is_table(LocalId) const { return false; }

  // Returns a place of a version; null if it does not exist there. Decodes nothing.
  virtual ViewNodePtr bind(const Version& version, LocalId place) const = 0;
};

// A view whose places need nothing but their numbers to answer. Each function is that of Node of
// the same name, and is called for places that exist.
class PlacesView : public View {
 public:
  ViewNodePtr bind(const Version& version, LocalId place) const override;

  virtual bool exists(const Version& version, LocalId place) const = 0;
  virtual LocalId parent(const Version&, LocalId) const { return {}; }
  virtual absl::Status list(const Version&, LocalId, std::uint64_t, const WorkBudget&,
                            EmitChild) const {
    return absl::OkStatus();
  }
  virtual absl::Status list_game_pages(const Version&, LocalId, std::uint64_t, EmitChild) const {
    return absl::OkStatus();
  }
  virtual std::optional<Child> find(const Version&, LocalId, std::string_view) const {
    return std::nullopt;
  }
  virtual absl::StatusOr<std::vector<std::string>> nearest(const Version&, LocalId,
                                                           std::string_view,
                                                           const WorkBudget&) const {
    return std::vector<std::string>();
  }
  virtual bool is_cheap(LocalId) const { return false; }
  virtual absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                        const WorkBudget& budget) const;
};

// Returns the view with a number; null if there is none.
const View* find_view(std::uint8_t number);
// Returns a place of any view; null if it does not exist in the version.
ViewNodePtr bind_place(const Version& version, LocalId place);

}  // namespace scidfs::fs
