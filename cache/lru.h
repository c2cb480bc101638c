// The cache of decoded text: blocks of bytes under 128-bit keys, with a budget in bytes.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scidfs::cache {

// The identity of a block of text: the number of a virtual file and the block's place in it. The
// bytes under a key never change.
struct BlockKey {
  std::uint64_t file = 0;
  std::uint64_t block = 0;

  friend bool operator==(const BlockKey&, const BlockKey&) = default;
};

// A block in use: it stays in memory as long as a caller holds it, evicted or not.
using Block = std::shared_ptr<const std::string>;

// A sharded LRU cache with single flight: however many threads ask for a missing block at once, one
// of them makes it (outside every lock) and the others wait for it. Thread-safe.
class BlockCache {
 public:
  struct Options {
    std::size_t capacity = 64 << 20;  // bytes, split evenly among the shards; 0 keeps nothing
    unsigned shards = 16;             // a block larger than its shard's part is not kept
  };

  // Every finished get() is one hit, miss, join or failure.
  struct Counters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;  // blocks made by get()
    std::uint64_t joins = 0;   // callers that waited for another's block
    std::uint64_t ahead = 0;   // blocks made by make_ahead()
    std::uint64_t evictions = 0;
    std::uint64_t failures = 0;  // makers that failed; nothing is kept of them
    std::uint64_t blocks = 0;    // in the cache now
    std::uint64_t bytes = 0;     // charged for them: text capacity and bookkeeping
  };

  explicit BlockCache(const Options& options);
  ~BlockCache();
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Returns the block under `key`. If it is not cached, `make` fills an empty string with it on the
  // calling thread. If `make` fails, all waiting callers get its status, and the next caller tries
  // again. `make` must not ask this cache for the same key.
  absl::StatusOr<Block> get(const BlockKey& key,
                            absl::FunctionRef<absl::Status(std::string&)> make);

  // Makes the block under `key` for a later get(), unless it is cached or a thread is making it
  // already. Callers that ask for it meanwhile join. If `make` fails, only they get its status.
  void make_ahead(const BlockKey& key, absl::FunctionRef<absl::Status(std::string&)> make);

  // Removes a block that will not be needed again. A block that is being made stays.
  void drop(const BlockKey& key);

  // Returns whether a block is cached or being made; does not count as a use.
  bool contains(const BlockKey& key) const;

  // Returns sums over all shards. The numbers of one shard are consistent; the shards are read one
  // after the other.
  Counters counters() const;

 private:
  class Shard;
  Shard& shard_of(const BlockKey& key) const;

  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace scidfs::cache
