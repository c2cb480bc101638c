// What users have asked, by numbers that stand in inode numbers.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "cache/mutex.h"
#include "fs/base/inode.h"
#include "fs/search/query.h"

namespace scidfs::fs {

// Questions get numbers when they are first asked. A number is a hash of the question; if that is
// taken, the next one that is free. So it is the same after a remount but for rare chances, and any
// question can be asked, however often.
//
// What has not been asked for long is kept as a text, which find() reads again, and later
// forgotten: then the number means nothing until the question is asked again, and gets its number
// again. Another question can be given that number only if it is forgotten, and by chance or
// somebody's work has the same hash; the generation beside the inode number tells these two apart
// (Snapshot::identity()). Thread-safe.
class QueryTable {
 public:
  struct Limits {
    std::size_t queries = std::size_t{1} << 16;
    std::size_t bytes = std::size_t{16} << 20;       // of memory
    std::size_t text_bytes = std::size_t{12} << 20;  // of memory for those kept as texts
  };

  QueryTable() : QueryTable(Limits()) {}
  explicit QueryTable(const Limits& limits) : limits_(limits) {}
  QueryTable(const QueryTable&) = delete;
  QueryTable& operator=(const QueryTable&) = delete;

  // The number of a question, the same as long as it is not forgotten.
  std::uint32_t number_of(Query query) ABSL_LOCKS_EXCLUDED(mutex_);
  // Null: the number was never given, or its question has been forgotten.
  QueryPtr find(std::uint32_t number) ABSL_LOCKS_EXCLUDED(mutex_);

  // How many there are, and how many more are kept as texts.
  std::size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::size_t texts() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Known {
    std::uint32_t number = 0;
    LocalId base;
    std::string path;
    QueryPtr query{};  // null: to be read again from these two

    bool is_of(const Query& other) const { return base == other.base && path == other.path; }
  };
  using Order = std::list<Known>;
  using Numbers = absl::flat_hash_map<std::uint32_t, Order::iterator>;
  // What is to be freed after the lock.
  struct Freed {
    std::vector<QueryPtr> queries;
    Order texts;
  };

  // The place of a question, a new one if it has none.
  Order::iterator place_of(const Query& query) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Puts a question first; it may have been kept as a text.
  void use(Order::iterator known, QueryPtr query) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes texts of the last questions, and forgets the last texts, as long as there are too many.
  void shrink(Freed& freed) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_;
  mutable cache::Mutex mutex_;
  Order order_ ABSL_GUARDED_BY(mutex_);  // the most recently used first
  Order texts_ ABSL_GUARDED_BY(mutex_);  // the most recently used first
  Numbers by_number_ ABSL_GUARDED_BY(mutex_);
  std::size_t memory_ ABSL_GUARDED_BY(mutex_) = 0;       // of order_
  std::size_t text_memory_ ABSL_GUARDED_BY(mutex_) = 0;  // of texts_
};

}  // namespace scidfs::fs
