// Readers of one database for any number of threads.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cache/mutex.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {

// Lends readers to threads and keeps some that are not in use. Thread-safe.
class ReaderPool {
 public:
  // The parts that `source` refers to must outlive the pool.
  explicit ReaderPool(const GameSource& source) : source_(source) { idle_.reserve(kMostIdle); }

  // Returns a reader to the pool, which must still exist.
  struct Return {
    const ReaderPool* pool;
    void operator()(GameReader* reader) const;
  };
  using Loan = std::unique_ptr<GameReader, Return>;
  // Lends a reader to the calling thread until the loan is destroyed.
  Loan borrow() const;

 private:
  static constexpr std::size_t kMostIdle = 16;

  const GameSource source_;
  mutable cache::Mutex mutex_;
  // Has capacity for all idle readers, so that returning one cannot fail.
  mutable std::vector<std::unique_ptr<GameReader>> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
