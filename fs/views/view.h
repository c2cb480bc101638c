// Views: the directories into which a database is sorted. Each is one class in a file of its own
// and one entry in the table in view.cc.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/effort.h"
#include "fs/database/database.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Has no state. Any thread may call it. Places may come from outside: one that means nothing does
// not exist. Of a place, `level` and `key` mean what the view says; `view` is 0, but for the
// directories of the other views in the root view.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  // The name of its directory in the database's directory.
  virtual std::string_view name() const = 0;
  // Whether it has anything to show; an empty view is not listed.
  virtual bool has_content(const Database& database) const { return !database.shown().empty(); }
  virtual bool is_directory(Place place) const = 0;
  // Whether a place exists in this version of the database. Costs no decoding.
  virtual bool exists(const Database& database, Place place) const = 0;
  // The directory that a directory other than the view's own lies in: the view's own, unless there
  // are more levels. REQUIRES: `directory` exists.
  virtual Place parent(const Database&, Place) const { return {}; }
  // Lists a directory from position `first` until `emit` says false. `next` of a child is where to
  // go on after it.
  virtual void list(const Database& database, Place directory, std::uint64_t first,
                    EmitChild emit) const = 0;
  // Finds a name in a directory; aliases that are not listed too. Never scans.
  virtual std::optional<Child> lookup(const Database& database, Place directory,
                                      std::string_view name) const = 0;
  // Whether a file is opened as fast as it is found in a cache of open ones.
  virtual bool is_cheap(Place) const { return false; }
  // The games whose texts a file consists of; nothing for all other files. REQUIRES: the file
  // exists.
  virtual std::optional<GameSet> set_of(const DatabasePtr&, Place) const { return std::nullopt; }

  // What is in a file. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open(const DatabasePtr& database, Place file,
                                                const Effort& effort) const;

 private:
  // The same of a file that is there and is not made from a set.
  virtual absl::StatusOr<std::unique_ptr<Content>> open_other(const DatabasePtr& database,
                                                              Place file,
                                                              const Effort& effort) const;
};

// All views by number; numbers are part of inodes. The first is the database's own directory.
std::span<const View* const> views();
inline constexpr std::uint8_t kRootView = 0;

}  // namespace scidfs::fs
