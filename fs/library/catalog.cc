#include "fs/library/catalog.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace scidfs::fs {

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

std::uint16_t slot_of(const Database& database) { return database.slot(); }
std::uint16_t slot_of(const ShownTexts& texts) { return texts.slot; }
std::uint16_t epoch_of(const Database& database) { return database.epoch(); }
std::uint16_t epoch_of(const ShownTexts& texts) { return texts.epoch; }

template <class Snapshot>
Retired<Snapshot>* find_retired(const RetiredList<Snapshot>& list, std::uint16_t slot,
                                std::uint16_t epoch) {
  const auto found = std::ranges::find_if(list, [&](const auto& old) {
    return slot_of(*old->snapshot) == slot && epoch_of(*old->snapshot) == epoch;
  });
  return found == list.end() ? nullptr : found->get();
}

template <class Snapshot>
using Newest = std::map<std::uint16_t, std::shared_ptr<const Snapshot>>;

template <class Snapshot>
std::shared_ptr<const Snapshot> find_newest(const Newest<Snapshot>& newest, std::uint16_t slot) {
  const auto found = newest.find(slot);
  return found == newest.end() ? nullptr : found->second;
}

template <class Snapshot>
std::shared_ptr<const Snapshot> find_version(const Newest<Snapshot>& all,
                                             const RetiredList<Snapshot>& retired,
                                             std::uint16_t slot, std::uint16_t epoch) {
  auto newest = find_newest(all, slot);
  if (newest != nullptr && epoch_of(*newest) == epoch) return newest;
  Retired<Snapshot>* const old = find_retired(retired, slot, epoch);
  if (old == nullptr) return nullptr;
  old->last_used.store(steady_seconds(), std::memory_order_relaxed);
  return old->snapshot;
}

template <class Snapshot>
bool has_version(const Newest<Snapshot>& all, const RetiredList<Snapshot>& retired,
                 std::uint16_t slot, std::uint16_t epoch) {
  const auto newest = all.find(slot);
  return (newest != all.end() && epoch_of(*newest->second) == epoch) ||
         find_retired(retired, slot, epoch) != nullptr;
}

// Cuts a list after the snapshots that are worth keeping, the most recently used ones; `cost` of
// all of them together is at most `most_cost`, but for the last one. Whether it was cut.
template <class Snapshot>
bool forget_oldest(RetiredList<Snapshot>& list, std::uint64_t most_cost,
                   std::uint64_t (*cost)(const Snapshot&)) {
  constexpr std::int64_t kGrace = 600;  // seconds
  constexpr std::size_t kMost = 32;     // each has open files
  std::ranges::stable_sort(list, std::greater(),
                           [](const auto& retired) { return retired->last_used.load(); });
  const std::int64_t oldest = steady_seconds() - kGrace;
  std::uint64_t sum = 0;
  std::size_t kept = 0;
  for (; kept < std::min(list.size(), kMost); ++kept) {
    sum += cost(*list[kept]->snapshot);
    if (list[kept]->last_used < oldest || (kept > 0 && sum > most_cost)) break;
  }
  if (kept == list.size()) return false;
  list.resize(kept);
  return true;
}

}  // namespace

template <class Snapshot>
Retired<Snapshot>::Retired(std::shared_ptr<const Snapshot> replaced)
    : snapshot(std::move(replaced)), last_used(steady_seconds()) {}
template struct Retired<Database>;
template struct Retired<ShownTexts>;

const Folder* Catalog::folder(std::uint32_t key) const {
  const auto found = std::ranges::find(folders_, key, &Folder::key);
  return found == folders_.end() ? nullptr : &*found;
}

const Folder& Catalog::folder_of(std::uint16_t database) const {
  const auto holds = [database](const Folder& folder) {
    return std::ranges::find(folder.databases, database) != folder.databases.end();
  };
  return *std::ranges::find_if(folders_, holds);
}

const Folder& Catalog::folder_of_texts(std::uint16_t slot) const {
  const auto holds = [slot](const Folder& folder) {
    return folder.own_texts == slot || std::ranges::find(folder.texts, slot) != folder.texts.end();
  };
  return *std::ranges::find_if(folders_, holds);
}

const Folder* Catalog::folder_at(std::uint16_t slot, Place place) const {
  const auto found = std::ranges::find_if(folders_, [&](const Folder& folder) {
    return folder.own_texts == slot && folder.own_place == place;
  });
  return found == folders_.end() ? nullptr : &*found;
}

DatabasePtr Catalog::database(std::uint16_t slot) const { return find_newest(databases_, slot); }

DatabasePtr Catalog::database(std::uint16_t slot, std::uint16_t epoch) const {
  return find_version(databases_, retired_, slot, epoch);
}

TextsPtr Catalog::texts(std::uint16_t slot) const { return find_newest(texts_, slot); }

TextsPtr Catalog::texts(std::uint16_t slot, std::uint16_t epoch) const {
  return find_version(texts_, retired_texts_, slot, epoch);
}

bool Catalog::has(std::uint16_t slot, std::uint16_t epoch) const {
  return has_version(databases_, retired_, slot, epoch) ||
         has_version(texts_, retired_texts_, slot, epoch);
}

bool Catalog::forget_retired() {
  constexpr std::uint64_t kMostGames = 4'000'000;
  const bool any_database = forget_oldest<Database>(
      retired_, kMostGames, [](const Database& old) -> std::uint64_t { return old.games(); });
  const bool any_texts = forget_oldest<ShownTexts>(
      retired_texts_, 0, [](const ShownTexts&) -> std::uint64_t { return 0; });
  return any_database || any_texts;
}

std::uint64_t Catalog::games() const {
  std::uint64_t games = 0;
  for (const auto& [slot, database] : databases_) games += database->games();
  return games;
}

std::uint64_t Catalog::sizes_known() const {
  std::uint64_t known = 0;
  for (const auto& [slot, database] : databases_) known += database->sizes_known();
  return known;
}

}  // namespace scidfs::fs
