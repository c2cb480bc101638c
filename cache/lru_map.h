// The core of every cache in memory: a map that knows the order in which its entries were used.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>
#include <absl/hash/hash.h>

#include <cassert>
#include <cstddef>
#include <iterator>
#include <list>
#include <utility>

namespace scidfs::cache {

// Values by key, from the newest use to the oldest, and the sum of what they are charged. The owner
// chooses the unit of charges and the limit, and what happens to entries that it removes: they move
// into a list of the owner's, who frees them after it has released its lock. A use costs one lookup
// and allocates nothing. A value stays where it is until its entry is freed. Not thread-safe.
template <class Key, class Value, class Hash = absl::Hash<Key>>
class LruMap {
 public:
  struct Entry {
    Key key;
    Value value;
    std::size_t charge = 0;
  };
  using Entries = std::list<Entry>;

  std::size_t size() const { return entries_.size(); }
  // Returns the sum of all charges.
  std::size_t charge() const { return charge_; }

  // Return the value of a key; null if it has none. Only use() counts as a use.
  Value* use(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->value;
  }
  const Value* find(const Key& key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? nullptr : &found->second->value;
  }

  // Adds an entry as the newest. Changes nothing if memory is short: throws. REQUIRES: The key has
  // no entry.
  Value& add(const Key& key, Value value, std::size_t charge) {
    assert(!places_.contains(key));
    Entries fresh;
    fresh.push_back({.key = key, .value = std::move(value), .charge = charge});
    places_.emplace(key, fresh.begin());
    entries_.splice(entries_.begin(), fresh);
    charge_ += charge;
    return entries_.front().value;
  }
  // Charges more for an entry. REQUIRES: The key has one.
  void add_charge(const Key& key, std::size_t more) {
    assert(places_.contains(key));
    places_.find(key)->second->charge += more;
    charge_ += more;
  }

  // Moves the entry of a key, if it has one, to the end of `removed`.
  void remove(const Key& key, Entries& removed) {
    const auto found = places_.find(key);
    if (found != places_.end()) remove(found->second, removed);
  }
  // Moves all entries there for whose keys `is_to_go` returns true.
  void remove_if(absl::FunctionRef<bool(const Key&)> is_to_go, Entries& removed) {
    for (auto next = entries_.begin(); next != entries_.end();) {
      const auto place = next++;
      if (is_to_go(place->key)) remove(place, removed);
    }
  }
  // Moves the oldest entry there. REQUIRES: size() != 0.
  void remove_oldest(Entries& removed) {
    assert(size() != 0);
    remove(std::prev(entries_.end()), removed);
  }
  // Moves the oldest entries there while the charges exceed `most`. Returns how many.
  std::size_t shrink(std::size_t most, Entries& removed) {
    const std::size_t before = size();
    while (charge_ > most) remove_oldest(removed);
    return before - size();
  }

 private:
  using Place = typename Entries::iterator;

  void remove(Place place, Entries& removed) {
    places_.erase(place->key);
    charge_ -= place->charge;
    removed.splice(removed.end(), entries_, place);
  }

  // Entries only move by splicing, so a place stays valid until its entry is removed.
  Entries entries_;
  absl::flat_hash_map<Key, Place, Hash> places_;
  std::size_t charge_ = 0;
};

}  // namespace scidfs::cache
