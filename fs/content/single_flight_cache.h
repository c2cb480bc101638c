// Things that take work to make, kept while they are used.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

#include "cache/mutex.h"
#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// An LRU with a budget in bytes of memory, of values that say what keeping them costs
// (`memory()`). What is in use stays alive, in the cache or not. Thread-safe; a value is made by
// one thread while others that want the same one wait.
template <class Key, class Value>
class SingleFlightCache {
 public:
  using Ptr = std::shared_ptr<const Value>;

  explicit SingleFlightCache(std::size_t capacity) : capacity_(capacity) {}

  // The value of a key. `make` goes by the effort itself. Errors are its own, which are not kept;
  // Unavailable also if somebody else is making it and `effort` is not whole, so that nobody in a
  // hurry waits.
  absl::StatusOr<Ptr> get(const Key& key, const WorkBudget& budget,
                          absl::FunctionRef<absl::StatusOr<Ptr>()> make) {
    bool is_new = false;
    const std::shared_ptr<Slot> slot = slot_of(key);
    absl::StatusOr<Ptr> value = slot->get(budget, [&] {
      is_new = true;
      return make();
    });
    if (is_new && value.ok()) charge(key, *slot, (*value)->memory());
    return value;
  }

  // The value of a key if it is kept; else null.
  Ptr find(const Key& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    const auto found = slots_.find(key);
    if (found == slots_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->slot->made();
  }

  // Lets go of all values whose key is to go.
  void drop(absl::FunctionRef<bool(const Key&)> is_to_go) ABSL_LOCKS_EXCLUDED(mutex_) {
    Order dropped;  // freed after the lock
    cache::MutexLock lock(mutex_);
    for (auto next = order_.begin(); next != order_.end();) {
      const auto used = next++;
      if (!is_to_go(used->key)) continue;
      memory_ -= used->memory;
      slots_.erase(used->key);
      dropped.splice(dropped.end(), order_, used);
    }
  }

  // How many values there are, being made or kept, the bytes that those kept cost, and how many
  // have been made so far.
  struct Counters {
    std::size_t values = 0;
    std::size_t bytes = 0;
    std::uint64_t made = 0;
  };
  Counters counters() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return {.values = slots_.size(), .bytes = memory_, .made = made_};
  }

 private:
  using Slot = OnceValue<Value>;
  struct Used {
    Key key;
    std::shared_ptr<Slot> slot;
    std::size_t memory = 0;
  };
  using Order = std::list<Used>;

  using Slots = absl::flat_hash_map<Key, typename Order::iterator>;

  // What an empty slot costs, with its key, which stands in both tables.
  static std::size_t memory_of_slot(const Key& key) {
    constexpr std::size_t kSlot = 200;
    if constexpr (requires { key.size(); }) return kSlot + 2 * key.size();
    return kSlot;
  }

  // The slot of a key; an empty one has its price too.
  std::shared_ptr<Slot> slot_of(const Key& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    Order dropped;  // freed after the lock
    const cache::MutexLock lock(mutex_);
    const auto [found, is_new] = slots_.try_emplace(key);
    if (!is_new) {
      order_.splice(order_.begin(), order_, found->second);
      return found->second->slot;
    }
    const std::size_t memory = memory_of_slot(key);
    order_.push_front({.key = key, .slot = std::make_shared<Slot>(), .memory = memory});
    found->second = order_.begin();
    memory_ += memory;
    std::shared_ptr<Slot> slot = order_.front().slot;
    shrink(dropped);
    return slot;
  }

  // Books what a value costs that has been made in the slot of `key`.
  void charge(const Key& key, const Slot& slot, std::size_t memory) ABSL_LOCKS_EXCLUDED(mutex_) {
    Order dropped;  // freed after the lock
    const cache::MutexLock lock(mutex_);
    ++made_;
    const auto found = slots_.find(key);
    if (found == slots_.end() || found->second->slot.get() != &slot) return;
    memory_ += memory;
    found->second->memory += memory;
    shrink(dropped);
  }

  // Takes out what has not been used for longest, as long as there is too much.
  void shrink(Order& dropped) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    while (memory_ > capacity_ && !order_.empty()) {
      memory_ -= order_.back().memory;
      slots_.erase(order_.back().key);
      dropped.splice(dropped.end(), order_, std::prev(order_.end()));
    }
  }

  const std::size_t capacity_;
  mutable cache::Mutex mutex_;
  Order order_ ABSL_GUARDED_BY(mutex_);  // the most recently used first
  Slots slots_ ABSL_GUARDED_BY(mutex_);
  std::size_t memory_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t made_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace scidfs::fs
