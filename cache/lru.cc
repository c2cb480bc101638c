#include "cache/lru.h"

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "cache/lru_map.h"
#include "cache/mutex.h"

namespace scidfs::cache {
namespace {

// The finalizer of SplitMix64: every bit of the input moves every bit of the result.
std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

std::uint64_t hash_of(const BlockKey& key) {
  return mix(mix(key.file + 0x9e3779b97f4a7c15) + key.block);
}

struct KeyHash {
  std::size_t operator()(const BlockKey& key) const {
    return static_cast<std::size_t>(hash_of(key));
  }
};

// The result of a maker, passed from the thread that makes a block to the threads that wait for it.
class Flight {
 public:
  absl::StatusOr<Block> wait() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    while (!result_) landed_.wait(mutex_);
    return *result_;
  }

  void land(const absl::StatusOr<Block>& result) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    result_ = result;
    landed_.notify_all();
  }

 private:
  Mutex mutex_;
  CondVar landed_;
  std::optional<absl::StatusOr<Block>> result_ ABSL_GUARDED_BY(mutex_);
};

using Kept = LruMap<BlockKey, Block, KeyHash>;

// The memory that a block costs besides its text: list node; place in a table that is half full;
// string and its reference counts; the allocator's overhead for node, string and text.
constexpr std::size_t kBookkeeping = sizeof(Kept::Entry) + 2 * sizeof(void*) +
                                     2 * (sizeof(BlockKey) + sizeof(void*)) + sizeof(std::string) +
                                     2 * sizeof(void*) + 3 * sizeof(void*);

std::size_t charge_of(const std::string& text) { return text.capacity() + kBookkeeping; }

// Runs the maker. Its exceptions become errors, so that the joiners get them too and do not wait
// indefinitely.
absl::StatusOr<Block> make_block(absl::FunctionRef<absl::Status(std::string&)> make) {
  try {
    std::string text;
    if (absl::Status status = make(text); !status.ok()) return status;
    // A copy now is cheaper than a cache that is one fifth air.
    if (text.capacity() - text.size() > text.size() / 4) text.shrink_to_fit();
    return std::make_shared<const std::string>(std::move(text));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("Cannot make a block of text: out of memory");
  } catch (const std::exception& error) {
    return absl::InternalError(fmt::format("Cannot make a block of text: {}", error.what()));
  }
}

}  // namespace

// A block is in at most one of two tables.
//
// - `making_`: a thread is making the text right now, others may wait on the flight. No order, no
//   charge, never evicted; only the thread that put a flight here takes it out.
// - `kept_`: the text is there. Its charges are at most `capacity_` whenever the lock is free.
//
// So at most one thread makes a block. The holder of a Block owns a share of the text; an evicted
// entry gives up only the cache's share, and does so after the lock is released.
//
// The lock is never held while text is made, freed or waited for. A result is kept, or given up,
// before its flight lands, so that a caller that got a failure and asks again makes a new attempt.
class alignas(64) BlockCache::Shard {
 public:
  explicit Shard(std::size_t capacity) : capacity_(capacity) {}

  absl::StatusOr<Block> get(const BlockKey& key, absl::FunctionRef<absl::Status(std::string&)> make)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::shared_ptr<Flight> joined;
    {
      MutexLock lock(mutex_);
      if (const Block* const kept = kept_.use(key)) {
        ++counters_.hits;
        return *kept;
      }
      if (const auto making = making_.find(key); making != making_.end()) {
        ++counters_.joins;
        joined = making->second;
      } else {
        making_.emplace(key, std::make_shared<Flight>());
      }
    }
    if (joined) return joined->wait();

    absl::StatusOr<Block> result = make_block(make);
    settle(key, result, false)->land(result);
    return result;
  }

  void make_ahead(const BlockKey& key, absl::FunctionRef<absl::Status(std::string&)> make)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(mutex_);
      if (knows(key)) return;
      making_.emplace(key, std::make_shared<Flight>());
    }
    const absl::StatusOr<Block> result = make_block(make);
    settle(key, result, true)->land(result);
  }

  void drop(const BlockKey& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    Kept::Entries dropped;  // freed after the lock is released
    MutexLock lock(mutex_);
    kept_.remove(key, dropped);
  }

  bool contains(const BlockKey& key) const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return knows(key);
  }

  Counters counters() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    Counters counters = counters_;
    counters.blocks = kept_.size();
    counters.bytes = kept_.charge();
    return counters;
  }

 private:
  bool knows(const BlockKey& key) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return kept_.find(key) != nullptr || making_.contains(key);
  }

  // Keeps the result if it can be kept. Returns the flight that waits for it.
  std::shared_ptr<Flight> settle(const BlockKey& key, const absl::StatusOr<Block>& result,
                                 bool is_ahead) ABSL_LOCKS_EXCLUDED(mutex_) {
    Kept::Entries dropped;  // freed after the lock is released
    MutexLock lock(mutex_);
    const auto making = making_.find(key);
    std::shared_ptr<Flight> flight = std::move(making->second);
    making_.erase(making);
    ++(!result.ok() ? counters_.failures : is_ahead ? counters_.ahead : counters_.misses);
    if (result.ok()) keep(key, *result, dropped);
    return flight;
  }

  // Keeps a block unless it exceeds the capacity by itself, or there is no memory for its entry.
  void keep(const BlockKey& key, const Block& block, Kept::Entries& dropped)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::size_t charge = charge_of(*block);
    if (charge > capacity_) return;
    try {
      kept_.add(key, block, charge);
    } catch (const std::bad_alloc&) {
      return;
    }
    counters_.evictions += kept_.shrink(capacity_, dropped);
  }

  const std::size_t capacity_;
  mutable Mutex mutex_;
  absl::flat_hash_map<BlockKey, std::shared_ptr<Flight>, KeyHash> making_ ABSL_GUARDED_BY(mutex_);
  Kept kept_ ABSL_GUARDED_BY(mutex_);
  Counters counters_ ABSL_GUARDED_BY(mutex_);  // without those of what is kept
};

BlockCache::BlockCache(const Options& options) {
  const unsigned shards = std::max(options.shards, 1U);
  shards_.reserve(shards);
  for (unsigned i = 0; i < shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(options.capacity / shards));
  }
}

BlockCache::~BlockCache() = default;

absl::StatusOr<Block> BlockCache::get(const BlockKey& key,
                                      absl::FunctionRef<absl::Status(std::string&)> make) {
  return shard_of(key).get(key, make);
}

void BlockCache::make_ahead(const BlockKey& key,
                            absl::FunctionRef<absl::Status(std::string&)> make) {
  shard_of(key).make_ahead(key, make);
}

void BlockCache::drop(const BlockKey& key) { shard_of(key).drop(key); }

bool BlockCache::contains(const BlockKey& key) const { return shard_of(key).contains(key); }

BlockCache::Counters BlockCache::counters() const {
  Counters sum;
  for (const auto& shard : shards_) {
    const Counters part = shard->counters();
    sum.hits += part.hits;
    sum.misses += part.misses;
    sum.joins += part.joins;
    sum.ahead += part.ahead;
    sum.evictions += part.evictions;
    sum.failures += part.failures;
    sum.blocks += part.blocks;
    sum.bytes += part.bytes;
  }
  return sum;
}

// Returns the shard by the top 32 bits of the hash, scaled to the number of shards; the index uses
// the low bits.
BlockCache::Shard& BlockCache::shard_of(const BlockKey& key) const {
  const std::uint64_t top = hash_of(key) >> 32;
  return *shards_[static_cast<std::size_t>(top * shards_.size() >> 32)];
}

}  // namespace scidfs::cache
