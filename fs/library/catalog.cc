#include "fs/library/catalog.h"

#include <algorithm>
#include <utility>

#include "cache/hash.h"

namespace scidfs::fs {

std::uint32_t generation_of(const MountedVersion& shown, LocalId place, bool is_directory) {
  const std::uint64_t version = is_directory ? 0 : shown.fingerprint;
  const Inode inode = pack({.place = place});
  const std::string_view bytes(reinterpret_cast<const char*>(&inode), sizeof inode);
  const std::uint64_t identity = shown.snapshot->identity(place);
  if (shown.slot == 0) return static_cast<std::uint32_t>(identity);
  const std::uint64_t seed = shown.path_hash ^ version ^ identity;
  const std::uint64_t hash = cache::fingerprint(bytes, seed + kInodeLayout);
  const auto generation = static_cast<std::uint32_t>(hash ^ hash >> 32);
  return generation == 0 ? 1 : generation;
}

std::shared_ptr<const Database> database_of(const MountedVersion& shown) {
  if (shown.database != nullptr || shown.lazy == nullptr) return shown.database;
  const LazyDatabase::Ptr read = shown.lazy->made();
  return read == nullptr || read->views == nullptr ? nullptr : read->views->database();
}

bool is_refused(const MountedVersion& shown) {
  const LazyDatabase::Ptr read = shown.lazy == nullptr ? nullptr : shown.lazy->made();
  return read != nullptr && read->views == nullptr;
}

void Catalog::add(MountedVersionPtr shown) {
  by_slot_.emplace(shown->slot, all_.size());
  by_version_.emplace(shown->key(), all_.size());
  all_.push_back(std::move(shown));
}

bool Catalog::supersede(const Catalog& before, RetiredVersions::Budget budget) {
  bool changed = all_.size() != before.all_.size();
  for (const MountedVersionPtr& shown : all_)
    changed = changed || before.find_ptr(shown->slot) != shown;
  retired_ = before.retired_;
  for (const MountedVersionPtr& old : before.all_) {
    if (!by_version_.contains(old->key())) retired_.add(old);
  }
  retired_.remove_if([this](const MountedVersion& old) { return by_version_.contains(old.key()); });
  retired_.let_go(budget);
  return changed;
}

const MountedVersion* Catalog::find(std::uint16_t slot) const {
  const auto found = by_slot_.find(slot);
  return found == by_slot_.end() ? nullptr : all_[found->second].get();
}

MountedVersionPtr Catalog::find_ptr(std::uint16_t slot) const {
  const auto found = by_slot_.find(slot);
  return found == by_slot_.end() ? nullptr : all_[found->second];
}

MountedVersionPtr Catalog::version(std::uint16_t slot, std::uint16_t epoch) const {
  const auto found = by_version_.find(VersionKey(slot, epoch));
  return found != by_version_.end() ? all_[found->second] : retired_.find({slot, epoch});
}

bool Catalog::has(std::uint16_t slot, std::uint16_t epoch) const {
  return by_version_.contains(VersionKey(slot, epoch)) || retired_.contains({slot, epoch});
}

std::uint64_t Catalog::games() const {
  std::uint64_t games = 0;
  for (const MountedVersionPtr& shown : all_) {
    if (const auto database = database_of(*shown)) games += database->games();
  }
  return games;
}

std::uint64_t Catalog::sizes_known() const {
  std::uint64_t known = 0;
  for (const MountedVersionPtr& shown : all_) {
    if (const auto database = database_of(*shown)) known += database->sizes().known();
  }
  return known;
}

std::size_t Catalog::databases() const {
  const auto has_one = [](const MountedVersionPtr& shown) {
    return database_of(*shown) != nullptr;
  };
  return unread() + static_cast<std::size_t>(std::ranges::count_if(all_, has_one));
}

std::size_t Catalog::unread() const {
  return static_cast<std::size_t>(std::ranges::count_if(all_, [](const MountedVersionPtr& shown) {
    return shown->lazy != nullptr && shown->lazy->made() == nullptr;
  }));
}

}  // namespace scidfs::fs
