// Reads virtual files block by block: from the cache, and ahead of sequential readers.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "cache/lru.h"
#include "cache/mutex.h"
#include "fs/base/inode.h"
#include "fs/content/work_budget.h"
#include "fs/tree/content_cache.h"
#include "fs/tree/streams.h"

namespace scidfs::fs {

// Bytes of a file, valid as long as `block` is held.
struct Slice {
  cache::Block block;
  std::string_view bytes;
};

// A cache of blocks, with threads that make blocks ahead. The destructor waits at most for blocks
// that are being made. Thread-safe.
class BlockReader {
 public:
  struct Options {
    std::size_t cache_bytes = std::size_t{64} << 20;
    unsigned threads = 0;  // that make blocks ahead; 0: one for each processor, up to kMostThreads
  };

  explicit BlockReader(const Options& options);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  // Returns up to `size` bytes from `offset`; fewer only at the end of the file or of a block, none
  // at or after the end of the file. `content` is the content of `file`, always the same. Data of
  // remote sources is requested ahead, but the threads that serve all files do not make their
  // blocks. Returns Unavailable if the block is not cached and making it exceeds the budget.
  absl::StatusOr<Slice> read(Inode file, const ContentPtr& content, bool is_remote,
                             std::uint64_t offset, std::size_t size, const WorkBudget& budget);

  const cache::BlockCache& blocks() const { return blocks_; }

 private:
  static constexpr unsigned kMostThreads = 4;

  void look_ahead(const Streams::Read& read, const ContentPtr& content) ABSL_LOCKS_EXCLUDED(mutex_);
  void expect_ahead(const Streams::Read& read, const ContentPtr& content)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void work() ABSL_LOCKS_EXCLUDED(mutex_);
  void start(unsigned threads);

  cache::BlockCache blocks_;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  Streams streams_ ABSL_GUARDED_BY(mutex_);
  Streams remote_streams_ ABSL_GUARDED_BY(mutex_);
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace scidfs::fs
