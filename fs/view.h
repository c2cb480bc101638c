// Views: the directories into which a database is sorted. Each is one class in views/ and one entry
// in the table at the end of views.cc.
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

#include "fs/content.h"
#include "fs/database.h"

namespace scidfs::fs {

// What a view calls a directory or a file of its own. Level 0 with key 0 is the view's directory
// itself; all other levels and keys mean what the view says.
struct Place {
  std::uint8_t level = 0;
  std::uint32_t key = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// A name in a directory of a view.
struct Child {
  std::string name;
  Place place;
  bool is_directory = false;
  // A file that may not show yet, since its size is not known: open() must be asked.
  bool may_be_late = false;
  // The child is the directory of another view (only in the root view).
  std::optional<std::uint8_t> view{};
};

using EmitChild = absl::FunctionRef<bool(Child child, std::uint64_t next)>;

// Has no state. Any thread may call it. Places may come from outside: one that means nothing must
// be answered with NotFound or nothing.
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
  // go on behind it.
  virtual void list(const Database& database, Place directory, std::uint64_t first,
                    EmitChild emit) const = 0;
  // Finds a name in a directory; aliases that are not listed too. Never scans.
  virtual std::optional<Child> lookup(const Database& database, Place directory,
                                      std::string_view name) const = 0;
  // Whether a file is opened as fast as it is found in a cache of open ones.
  virtual bool is_cheap(Place) const { return false; }
  // What is in a file. NotFound, Unavailable (size not known yet), or DataLoss.
  virtual absl::StatusOr<std::unique_ptr<Content>> open(const DatabasePtr& database,
                                                        Place file) const = 0;
};

// All views by number. The first is the database's own directory; numbers are part of inodes.
std::span<const View* const> views();
inline constexpr std::uint8_t kRootView = 0;

// Emits children of a fixed or computed list: position i is the i-th call of `child_at`, which may
// skip one by returning nothing.
void list_children(std::uint64_t first, std::uint64_t count,
                   absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at, EmitChild emit);

// `suffix` cut off the end of `name`; nothing if it does not end so.
std::optional<std::string_view> strip_suffix(std::string_view name, std::string_view suffix);

// The decimal number that `text` is, without sign or leading zeros (but exactly `digits` digits
// long if that is not 0).
std::optional<std::uint32_t> parse_number(std::string_view text, std::size_t digits = 0);

}  // namespace scidfs::fs
