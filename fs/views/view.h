// Views: the directories into which a database is sorted. Each is one class in a file of its own
// and one entry in the table in view.cc.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/views/numbers.h"
#include "fs/views/version.h"

namespace scidfs::fs {

class GroupedView;
class SetView;

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

  virtual bool is_directory(LocalId place) const = 0;
  // Returns whether a place exists in this version of the database. Decodes nothing.
  virtual bool exists(const Version& version, LocalId place) const = 0;
  // Returns the directory above a directory. REQUIRES: `directory` exists, and is not Place{}.
  virtual LocalId parent(const Version& version, LocalId directory) const = 0;
  // See Snapshot::list().
  virtual absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                            const WorkBudget& budget, EmitChild emit) const = 0;
  // Lists the pages and pictures of the games in a directory, which list() leaves out.
  virtual absl::Status list_game_pages(const Version&, LocalId, std::uint64_t, EmitChild) const {
    return absl::OkStatus();
  }
  // Finds a name in a directory, including aliases that are not listed; may return a child with a
  // refusal. Never scans.
  virtual std::optional<Child> lookup(const Version& version, LocalId directory,
                                      std::string_view name) const = 0;
  // Returns whether a file is a table of tab-separated values. Such a file has a twin, `NAME.csv`.
  virtual bool is_table(LocalId) const { return false; }
  // Returns whether opening a file is as fast as finding it in a cache of open ones.
  virtual bool is_cheap(LocalId) const { return false; }
  // Opens a file. REQUIRES: it exists, and is no directory. Errors: see Snapshot::open().
  virtual absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                        const WorkBudget& budget) const;
};

// Returns the view with a number; null if there is none.
const View* find_view(std::uint8_t number);

}  // namespace scidfs::fs
