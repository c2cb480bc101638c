// The databases of a mount as repertoires, and which of them a version has been asked about.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A version of a database or a PGN file. It does not keep that version: databases may be asked
// about each other.
struct RepertoireSource {
  std::string path{};  // in the mount
  std::uint64_t fingerprint = 0;
  // Returns the database. Errors: FailedPrecondition if it has been replaced; DataLoss, with the
  // reason, if it is refused; Unavailable if it has not been read and the budget is limited; those
  // of reading.
  std::function<absl::StatusOr<std::shared_ptr<const Database>>(const WorkBudget& budget)> read{};
};
using RepertoireSourcePtr = std::shared_ptr<const RepertoireSource>;

// Those that the mount shows now. Thread-safe.
class RepertoireSources {
 public:
  // By path in the mount: "a/my.pgn".
  using ByPath = std::map<std::string, RepertoireSourcePtr, std::less<>>;

  void publish(ByPath sources) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns null if the mount shows none there.
  RepertoireSourcePtr find(std::string_view path) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable cache::Mutex mutex_;
  ByPath sources_ ABSL_GUARDED_BY(mutex_);
};

// The repertoires that a version of a database has been asked about: what it answered about one
// stays true, until a newer version takes its place. Thread-safe.
class AskedRepertoires {
 public:
  // `path`: of the database in the mount. The sources outlive this.
  AskedRepertoires(const RepertoireSources& sources, std::string_view path);

  // Returns the source of a name: that of a file in the folder of the database, or else a path from
  // the mount with %2F for slashes. Null if there is none. Later calls return the same source.
  RepertoireSourcePtr find(std::string_view name) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether the mount shows another version of one of them, or none.
  bool are_outdated() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const RepertoireSources& sources_;
  const std::string folder_;  // with a slash at the end; empty: that of the mount
  mutable cache::Mutex mutex_;
  RepertoireSources::ByPath asked_ ABSL_GUARDED_BY(mutex_);  // by path
};

}  // namespace scidfs::fs
