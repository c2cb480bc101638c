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

class SetView;

// Has no state. Any thread may call it. Places are those of the view: `view` is its number, entry
// and key mean what it says; those of children may be of other views. Places may come from outside:
// one that means nothing does not exist.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  // The name of the view's directory in the directory of the database, and whether it stands there.
  // Empty: it has none; its places are found from other views.
  virtual std::string_view name() const { return {}; }
  virtual bool has_content(const Database& database) const { return !database.shown().empty(); }
  // Whether there is such a view at all, by what is known beside the databases.
  virtual bool is_known(const Reference&) const { return true; }

  // Itself, if its directories are sets; else null.
  virtual const SetView* sets() const { return nullptr; }

  virtual bool is_directory(LocalId place) const = 0;
  // Whether a place exists in this version of the database. Costs no decoding.
  virtual bool exists(const Version& version, LocalId place) const = 0;
  // The directory that a directory lies in. REQUIRES: `directory` exists, and is not Place{}.
  virtual LocalId parent(const Version& version, LocalId directory) const = 0;
  // See Snapshot::list().
  virtual absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                            const WorkBudget& budget, EmitChild emit) const = 0;
  // Finds a name in a directory; aliases that are not listed too; perhaps a child with a refusal.
  // Never scans.
  virtual std::optional<Child> lookup(const Version& version, LocalId directory,
                                      std::string_view name) const = 0;
  // Whether a file is opened as fast as it is found in a cache of open ones.
  virtual bool is_cheap(LocalId) const { return false; }
  // What is in a file. REQUIRES: it exists, and is no directory. Errors: see Snapshot::open().
  virtual absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                        const WorkBudget& budget) const;
};

// Null if there is none with this number.
const View* find_view(std::uint8_t number);

}  // namespace scidfs::fs
