// A table of the queries of a mount, by the numbers that inode numbers contain.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cache/lru_map.h"
#include "cache/mutex.h"
#include "fs/base/inode.h"
#include "fs/search/query.h"

namespace scidfs::fs {

// Gives each query a number when a user first asks it. The number is a hash of the query or, if
// another query has that number, the next free number. So a query nearly always has the same number
// after a remount, and users can ask any query any number of times.
//
// The table keeps queries that have not been used for long as texts, which find() parses again.
// Later it forgets them: then the number means nothing until a user asks the query again, which
// restores its number. Another query can get that number only if the first one is forgotten and
// both have the same hash, by chance or by an attack; the generation beside the inode number tells
// the two apart (Snapshot::identity()). Thread-safe.
class QueryTable {
 public:
  struct Limits {
    std::size_t queries = std::size_t{1} << 16;
    std::size_t bytes = std::size_t{16} << 20;       // of memory
    std::size_t text_bytes = std::size_t{12} << 20;  // of memory for queries kept as texts
  };

  QueryTable() : QueryTable(Limits()) {}
  explicit QueryTable(const Limits& limits) : limits_(limits) {}
  QueryTable(const QueryTable&) = delete;
  QueryTable& operator=(const QueryTable&) = delete;

  // Returns the number of a query, which stays the same until the table forgets the query.
  std::uint32_t number_of(Query query) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns null if the number was never given, or if its query has been forgotten.
  QueryPtr find(std::uint32_t number) ABSL_LOCKS_EXCLUDED(mutex_);

  // Return how many queries there are, and how many more are kept as texts.
  std::size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::size_t texts() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Queries = cache::LruMap<std::uint32_t, QueryPtr>;
  using Texts = cache::LruMap<std::uint32_t, Query>;
  // Objects to free after the lock is released.
  struct Freed {
    Queries::Entries queries;
    Texts::Entries texts;
  };

  // Returns the query with a number, of a text only base and path; null if there is none.
  const Query* known(std::uint32_t number) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Adds a query, which may have been kept as a text. While there are too many, turns the oldest
  // into texts, and forgets the oldest texts.
  void keep(std::uint32_t number, QueryPtr query, Freed& freed)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_;
  mutable cache::Mutex mutex_;
  // A number is in at most one of these. Charges are bytes of memory.
  Queries queries_ ABSL_GUARDED_BY(mutex_);
  Texts texts_ ABSL_GUARDED_BY(mutex_);  // base and path, to be parsed again
};

}  // namespace scidfs::fs
