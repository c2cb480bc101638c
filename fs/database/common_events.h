// The events of several databases, or their tournaments.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/common_ids.h"
#include "fs/database/common_set.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// The events of some databases, the parts, or their tournaments, where the same event at the same
// site in one year is one. Events of a part have their numbers in GameLists::events(), tournaments
// those in Tournaments; common ids are those of CommonIds. Keeps the databases. Immutable; any
// number of threads may use it.
class CommonEvents {
 public:
  using Ptr = std::shared_ptr<const CommonEvents>;

  // Compare the names of all. Errors: Unavailable if that exceeds the budget; Cancelled. REQUIRES,
  // of the latter: each database has its tournaments.
  static absl::StatusOr<Ptr> merge(std::vector<DatabasePtr> databases, const WorkBudget& budget);
  static absl::StatusOr<Ptr> merge_tournaments(std::vector<DatabasePtr> databases,
                                               const WorkBudget& budget);

  CommonEvents(const CommonEvents&) = delete;
  CommonEvents& operator=(const CommonEvents&) = delete;

  // Returns the common id of an event of a part.
  std::uint32_t id_of(std::size_t part, std::uint32_t event) const { return ids_.ids(part)[event]; }
  // Returns the directories of the common events, by year.
  const CommonSet& set() const { return set_; }

  // Returns the bytes of memory that this takes, without the databases.
  std::size_t memory() const { return sizeof *this + ids_.memory() + set_.memory(); }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::uint16_t>;  // event, site, year

  // The events of one part.
  struct Part {
    std::uint32_t size = 0;
    const NamedSet* set = nullptr;
    std::function<Key(std::uint32_t event)> key_of;
  };

  CommonEvents(std::vector<DatabasePtr> databases, std::vector<Part> parts)
      : databases_(std::move(databases)), parts_(std::move(parts)) {}
  static absl::StatusOr<Ptr> merge_parts(std::vector<DatabasePtr> databases,
                                         std::vector<Part> parts, const WorkBudget& budget);

  const std::vector<DatabasePtr> databases_;
  const std::vector<Part> parts_;
  CommonIds ids_;
  CommonSet set_;
};

// Null for one database.
using CommonEventsPtr = CommonEvents::Ptr;

}  // namespace scidfs::fs
