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

// What a block of text is: the number of a virtual file and the block's place in it. The bytes that
// a key stands for never change.
struct BlockKey {
  std::uint64_t file = 0;
  std::uint64_t block = 0;

  friend bool operator==(const BlockKey&, const BlockKey&) = default;
};

// A block that is in use: as long as somebody holds it, it stays in memory, evicted or not.
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

  // The block under `key`; if it is not there `make` fills an empty string with it, on the calling
  // thread. If `make` fails, all who wait get its status, and the next caller tries again. `make`
  // must not ask this cache for the same key.
  absl::StatusOr<Block> get(const BlockKey& key,
                            absl::FunctionRef<absl::Status(std::string&)> make);

  // Makes the block under `key` for a later get(), unless it is there or somebody makes it already.
  // Whoever asks for it meanwhile joins. If it fails, they are told; nobody else is.
  void make_ahead(const BlockKey& key, absl::FunctionRef<absl::Status(std::string&)> make);

  // Forgets a block that nobody will want again. One that is being made stays.
  void drop(const BlockKey& key);

  // Whether a block is there or being made; does not count as a use.
  bool contains(const BlockKey& key) const;

  // Sums over all shards; each shard's numbers belong together, the sum may be a moment apart.
  Counters counters() const;

 private:
  class Shard;
  Shard& shard_of(const BlockKey& key) const;

  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace scidfs::cache
