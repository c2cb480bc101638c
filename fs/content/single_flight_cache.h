// A cache of values that take work to make.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "cache/lru_map.h"
#include "cache/mutex.h"
#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// An LRU cache with a limit in bytes of memory, of values that tell the cost of keeping them
// (`memory()`). Values in use stay alive, in the cache or not. Thread-safe; one thread makes a
// value while others that need the same one wait.
template <class Key, class Value>
class SingleFlightCache {
 public:
  using Ptr = std::shared_ptr<const Value>;

  explicit SingleFlightCache(std::size_t capacity) : capacity_(capacity) {}

  // Returns the value of a key. `make` itself obeys the budget. Returns the errors of `make`, which
  // are not kept; Unavailable also if another thread makes the value and `budget` is limited, so
  // that no thread in a hurry waits.
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

  // Returns the value of a key if it is kept; else null.
  Ptr find(const Key& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    const std::shared_ptr<Slot>* const slot = slots_.use(key);
    return slot == nullptr ? nullptr : (*slot)->made();
  }

  // Evicts all values for whose keys `is_to_go` returns true.
  void drop(absl::FunctionRef<bool(const Key&)> is_to_go) ABSL_LOCKS_EXCLUDED(mutex_) {
    typename Slots::Entries dropped;  // freed after the lock
    const cache::MutexLock lock(mutex_);
    slots_.remove_if(is_to_go, dropped);
  }

  // The number of values, being made or kept; the bytes that the cache costs; and the number of
  // values that have been made so far.
  struct Counters {
    std::size_t values = 0;
    std::size_t bytes = 0;
    std::uint64_t made = 0;
  };
  Counters counters() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return {.values = slots_.size(), .bytes = slots_.charge(), .made = made_};
  }

 private:
  using Slot = OnceValue<Value>;
  using Slots = cache::LruMap<Key, std::shared_ptr<Slot>>;

  // Returns the cost of an empty slot with its key, of which the map has two copies.
  static std::size_t memory_of_slot(const Key& key) {
    constexpr std::size_t kSlot = 200;
    if constexpr (requires { key.size(); }) return kSlot + 2 * key.size();
    return kSlot;
  }

  // Returns the slot of a key; an empty one has its cost too.
  std::shared_ptr<Slot> slot_of(const Key& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    typename Slots::Entries dropped;  // freed after the lock
    const cache::MutexLock lock(mutex_);
    if (const std::shared_ptr<Slot>* const known = slots_.use(key)) return *known;
    std::shared_ptr<Slot> slot = slots_.add(key, std::make_shared<Slot>(), memory_of_slot(key));
    slots_.shrink(capacity_, dropped);
    return slot;
  }

  // Adds the cost of a value that was made in the slot of `key`.
  void charge(const Key& key, const Slot& slot, std::size_t memory) ABSL_LOCKS_EXCLUDED(mutex_) {
    typename Slots::Entries dropped;  // freed after the lock
    const cache::MutexLock lock(mutex_);
    ++made_;
    const std::shared_ptr<Slot>* const known = slots_.find(key);
    if (known == nullptr || known->get() != &slot) return;
    slots_.add_charge(key, memory);
    slots_.shrink(capacity_, dropped);
  }

  const std::size_t capacity_;
  mutable cache::Mutex mutex_;
  Slots slots_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t made_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace scidfs::fs
