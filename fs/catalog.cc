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
  for (const std::shared_ptr<RetiredDatabase>& retired : retired_) {
    if (retired->database->slot() != slot || retired->database->epoch() != epoch) continue;
    retired->last_used.store(steady_seconds(), std::memory_order_relaxed);
    return retired->database;
  }
  return nullptr;
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
