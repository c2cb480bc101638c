// Several databases of a folder as one, of which some are PGN files that may not have been read.
#pragma once

#include <absl/status/statusor.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"
#include "fs/pgn/lazy_database.h"
#include "fs/views/database_snapshot.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Reads what has not been read, once, for the first request that needs games: others wait as long
// as their budget allows. Which databases take part so depends on nothing that was read before.
// Thread-safe.
class LazyTogether {
 public:
  // A database, or else a PGN file.
  struct Member {
    std::string path;  // as in Together
    VersionPtr version;
    std::shared_ptr<const LazyDatabase> lazy;  // null: a database, or a PGN file that has been read
    bool is_pgn = false;
  };
  // The databases as one; null if fewer than two of them can be shown.
  struct Read {
    std::shared_ptr<const DatabaseSnapshot> views;
  };
  using ReadPtr = std::shared_ptr<const Read>;

  // `repertoires`: those that the databases as one are asked about.
  LazyTogether(std::vector<Member> members, std::shared_ptr<AskedRepertoires> repertoires)
      : members_(std::move(members)), repertoires_(std::move(repertoires)) {}

  // Returns what was read. A file that is refused, or cannot be read, is left out. Errors:
  // Unavailable if a file has not been read and the budget is limited; Cancelled;
  // ResourceExhausted, as a retry may succeed.
  absl::StatusOr<ReadPtr> get(const WorkBudget& budget) const;
  // Returns null as long as not all has been read.
  ReadPtr made() const { return value_.made(); }

  // Return how many files have not been read; and the text of info.txt as things are.
  std::size_t unread() const;
  std::string info_text() const;
  // Returns "3 of 17 databases have been read" while a thread reads; else an empty string.
  std::string progress() const;

 private:
  // Returns the databases as far as they have been read, and the reasons why others are left out.
  Together known() const;
  absl::StatusOr<ReadPtr> read(const WorkBudget& budget) const;

  const std::vector<Member> members_;
  const std::shared_ptr<AskedRepertoires> repertoires_;
  mutable std::atomic<bool> is_reading_ = false;
  mutable OnceValue<Read> value_;
};

}  // namespace scidfs::fs
