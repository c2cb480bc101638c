// status.txt: the state of the daemon.
//
// Its text changes over time, but the bytes of an inode number must not: each lookup freezes a text
// under a new number, and the last few are kept for their readers.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <memory>

#include "cache/lru.h"
#include "cache/mutex.h"
#include "fs/content/content.h"
#include "fs/library/library.h"
#include "fs/tree/request_counters.h"

namespace scidfs::fs {

// The frozen texts. The references outlive this; `requests` may be null. Thread-safe.
class StatusFile {
 public:
  StatusFile(const Library& library, const cache::BlockCache& blocks,
             const RequestCounters* requests)
      : library_(library), blocks_(blocks), requests_(requests) {}

  struct Frozen {
    std::uint32_t number = 0;  // from 1
    std::int64_t time = 0;     // in seconds since 1970
    std::shared_ptr<const Content> text;
  };
  // Stores the current state.
  Frozen freeze() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a text frozen before. FailedPrecondition if it has been evicted.
  absl::StatusOr<Frozen> frozen(std::uint32_t number) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kKept = 64;

  std::string text() const;

  const Library& library_;
  const cache::BlockCache& blocks_;
  const RequestCounters* const requests_;
  mutable cache::Mutex mutex_;
  std::uint32_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::array<Frozen, kKept> frozen_ ABSL_GUARDED_BY(mutex_);  // by number modulo kKept
};

}  // namespace scidfs::fs
