#include "cache/lru.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <list>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cache/mutex.h"

namespace scidfs::cache {
namespace {

// The finalizer of SplitMix64: every bit of the input moves every bit of the result.
std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

struct KeyHash {
  std::size_t operator()(const BlockKey& key) const {
    return mix(mix(key.file + 0x9e3779b97f4a7c15) + key.block);
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

// Exactly one of `flight` and `text` is set.
struct Entry {
  BlockKey key;
  std::shared_ptr<Flight> flight;
  Block text;
  std::size_t charge = 0;
};

using Entries = std::list<Entry>;
using Index = std::unordered_map<BlockKey, Entries::iterator, KeyHash>;

// The memory that a block costs besides its text: list node, index node and bucket, string and its
// reference counts, and the allocator's overhead for each of these and for the text.
constexpr std::size_t kBookkeeping = sizeof(Entry) + 2 * sizeof(void*) + sizeof(Index::value_type) +
                                     3 * sizeof(void*) + sizeof(std::string) + 2 * sizeof(void*) +
                                     4 * sizeof(void*);

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

// The entries of a shard are in two lists.
//
// - `making_`: a thread is making the text right now, others may wait on the flight. No order, no
//   charge, never evicted; only the thread that put an entry here takes it out.
// - `kept_`: the text is there. Ordered from the newest use to the oldest, so the victim is at the
//   back. `counters_.blocks` is its length and `counters_.bytes` the sum of its charges, at most
//   `capacity_` whenever the lock is free.
//
// `index_` has every entry of both lists under its key, and nothing else. So a key is in at most
// one list, once, and at most one thread makes it. Entries only move by splicing: an iterator in
// the index stays valid until its entry is erased. The holder of a Block owns a share of the text;
// an evicted entry gives up only the cache's share, and does so after the lock is released.
//
// The lock is never held while text is made, freed or waited for. A result is in the lists (or, not
// kept, out of them) before its flight lands, so that a caller that got a failure and asks again
// makes a new attempt.
class alignas(64) BlockCache::Shard {
 public:
  explicit Shard(std::size_t capacity) : capacity_(capacity) {}

  absl::StatusOr<Block> get(const BlockKey& key, absl::FunctionRef<absl::Status(std::string&)> make)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::shared_ptr<Flight> joined;
    {
      MutexLock lock(mutex_);
      const auto found = index_.find(key);
      if (found == index_.end()) {
        begin(key);
      } else if (const Entries::iterator entry = found->second; entry->text) {
        ++counters_.hits;
        kept_.splice(kept_.begin(), kept_, entry);
        return entry->text;
      } else {
        ++counters_.joins;
        joined = entry->flight;
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
      if (index_.contains(key)) return;
      begin(key);
    }
    const absl::StatusOr<Block> result = make_block(make);
    settle(key, result, true)->land(result);
  }

  void drop(const BlockKey& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    Entries dropped;  // freed after the lock is released
    MutexLock lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end() || !found->second->text) return;
    remove(found->second, dropped);
  }

  bool contains(const BlockKey& key) const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return index_.contains(key);
  }

  Counters counters() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return counters_;
  }

 private:
  void begin(const BlockKey& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Entries fresh;
    fresh.push_back({.key = key, .flight = std::make_shared<Flight>(), .text = nullptr});
    index_.emplace(key, fresh.begin());
    making_.splice(making_.begin(), fresh);
  }

  // Keeps the result if it can be kept. Returns the flight that waits for it.
  std::shared_ptr<Flight> settle(const BlockKey& key, const absl::StatusOr<Block>& result,
                                 bool is_ahead) ABSL_LOCKS_EXCLUDED(mutex_) {
    Entries dropped;  // freed after the lock is released
    MutexLock lock(mutex_);
    const auto found = index_.find(key);
    const Entries::iterator entry = found->second;
    std::shared_ptr<Flight> flight = std::move(entry->flight);
    ++(!result.ok() ? counters_.failures : is_ahead ? counters_.ahead : counters_.misses);

    const std::size_t charge = result.ok() ? charge_of(**result) : 0;
    if (!result.ok() || charge > capacity_) {
      index_.erase(found);
      dropped.splice(dropped.begin(), making_, entry);
      return flight;
    }
    entry->text = *result;
    entry->charge = charge;
    kept_.splice(kept_.begin(), making_, entry);
    ++counters_.blocks;
    counters_.bytes += charge;
    evict(dropped);
    return flight;
  }

  // Evicts the oldest entries. The newest entry fits without the others, so it is never a victim.
  void evict(Entries& dropped) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    while (counters_.bytes > capacity_) {
      remove(std::prev(kept_.end()), dropped);
      ++counters_.evictions;
    }
  }

  // Moves a kept entry to `dropped`.
  void remove(Entries::iterator entry, Entries& dropped) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    index_.erase(entry->key);
    dropped.splice(dropped.begin(), kept_, entry);
    --counters_.blocks;
    counters_.bytes -= entry->charge;
  }

  const std::size_t capacity_;
  mutable Mutex mutex_;
  Index index_ ABSL_GUARDED_BY(mutex_);
  Entries making_ ABSL_GUARDED_BY(mutex_);
  Entries kept_ ABSL_GUARDED_BY(mutex_);
  Counters counters_ ABSL_GUARDED_BY(mutex_);
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
  const std::uint64_t top = std::uint64_t{KeyHash()(key)} >> 32;
  return *shards_[top * shards_.size() >> 32];
}

}  // namespace scidfs::cache
