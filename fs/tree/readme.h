// README.txt at the top of a mount: how to ask by path, with examples that the sources answer.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"
#include "fs/library/library.h"

namespace scidfs::fs {

// The text for the sources as they are. It looks at a thousand games of one database at most, and
// reads a PGN file only if that is small. Thread-safe.
class Readme {
 public:
  // `library` outlives this.
  explicit Readme(const Library& library) : library_(library) {}

  // Returns the number of the text now, from 1. Equal sources have the same one, also after a
  // remount.
  std::uint32_t number() const;
  // Returns the text with a number. Errors: FailedPrecondition if it is neither the one now nor one
  // of the last; Unavailable if a file must be read first, and the budget is limited; Cancelled.
  absl::StatusOr<std::shared_ptr<const std::string>> text(std::uint32_t number,
                                                          const WorkBudget& budget) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kKept = 16;

  struct Kept {
    std::uint32_t number = 0;
    std::shared_ptr<const std::string> text;
  };

  const Library& library_;
  mutable cache::Mutex mutex_;
  mutable std::array<Kept, kKept> kept_ ABSL_GUARDED_BY(mutex_);
  mutable std::size_t next_ ABSL_GUARDED_BY(mutex_) = 0;  // in kept_
};

}  // namespace scidfs::fs
