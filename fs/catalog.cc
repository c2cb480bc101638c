#include "fs/catalog.h"

#include <algorithm>
#include <chrono>

namespace scidfs::fs {

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

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

DatabasePtr Catalog::database(std::uint16_t slot) const {
  const auto found = databases_.find(slot);
  return found == databases_.end() ? nullptr : found->second;
}

DatabasePtr Catalog::database(std::uint16_t slot, std::uint16_t epoch) const {
  DatabasePtr newest = database(slot);
  if (newest != nullptr && newest->epoch() == epoch) return newest;
  RetiredDatabase* const old = retired(slot, epoch);
  if (old == nullptr) return nullptr;
  old->last_used.store(steady_seconds(), std::memory_order_relaxed);
  return old->database;
}

RetiredDatabase* Catalog::retired(std::uint16_t slot, std::uint16_t epoch) const {
  const auto found = std::ranges::find_if(retired_, [&](const auto& old) {
    return old->database->slot() == slot && old->database->epoch() == epoch;
  });
  return found == retired_.end() ? nullptr : found->get();
}

bool Catalog::has(std::uint16_t slot, std::uint16_t epoch) const {
  const auto newest = databases_.find(slot);
  return (newest != databases_.end() && newest->second->epoch() == epoch) ||
         retired(slot, epoch) != nullptr;
}

bool Catalog::forget_retired() {
  constexpr std::int64_t kGrace = 600;             // seconds
  constexpr std::uint64_t kMostGames = 4'000'000;  // of all together, but for the last one
  constexpr std::size_t kMost = 32;                // each has two open files
  std::ranges::stable_sort(
      retired_, std::greater(),
      [](const std::shared_ptr<RetiredDatabase>& retired) { return retired->last_used.load(); });
  const std::int64_t oldest = steady_seconds() - kGrace;
  std::uint64_t games = 0;
  std::size_t kept = 0;
  for (; kept < std::min(retired_.size(), kMost); ++kept) {
    games += retired_[kept]->database->games();
    if (retired_[kept]->last_used < oldest || (kept > 0 && games > kMostGames)) break;
  }
  if (kept == retired_.size()) return false;
  retired_.resize(kept);
  return true;
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
