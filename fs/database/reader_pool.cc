#include "fs/database/reader_pool.h"

#include <utility>

namespace scidfs::fs {

ReaderPool::Loan ReaderPool::borrow() const {
  {
    const cache::MutexLock lock(mutex_);
    if (!idle_.empty()) {
      Loan reader(idle_.back().release(), Return{this});
      idle_.pop_back();
      return reader;
    }
  }
  return {new GameReader(source_), Return{this}};
}

void ReaderPool::Return::operator()(GameReader* reader) const {
  std::unique_ptr<GameReader> owned(reader);
  owned->rest();
  const cache::MutexLock lock(pool->mutex_);
  if (pool->idle_.size() < kMostIdle) pool->idle_.push_back(std::move(owned));
}

}  // namespace scidfs::fs
