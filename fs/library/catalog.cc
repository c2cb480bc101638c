#include "fs/library/catalog.h"

#include <algorithm>
#include <utility>

#include "cache/hash.h"

namespace scidfs::fs {

std::uint32_t generation_of(const MountedVersion& version, LocalId place, bool is_directory) {
  const std::uint64_t fingerprint = is_directory ? 0 : version.fingerprint;
  const Inode inode = pack({.place = place});
  const std::string_view bytes(reinterpret_cast<const char*>(&inode), sizeof inode);
  const std::uint64_t identity = version.snapshot->identity(place);
  if (version.slot == 0) return static_cast<std::uint32_t>(identity);
  const std::uint64_t seed = version.path_hash ^ fingerprint ^ identity;
  const std::uint64_t hash = cache::fingerprint(bytes, seed + kInodeLayout);
  const auto generation = static_cast<std::uint32_t>(hash ^ hash >> 32);
  return generation == 0 ? 1 : generation;
}

std::shared_ptr<const Database> database_of(const MountedVersion& version) {
  if (version.database != nullptr || version.lazy == nullptr) return version.database;
  const LazyDatabase::Ptr read = version.lazy->made();
  return read == nullptr || read->views == nullptr ? nullptr : read->views->database();
}

bool is_refused(const MountedVersion& version) {
  const LazyDatabase::Ptr read = version.lazy == nullptr ? nullptr : version.lazy->made();
  return read != nullptr && read->views == nullptr;
}

void Catalog::add(MountedVersionPtr version) {
  by_slot_.emplace(version->slot, all_.size());
  by_version_.emplace(version->key(), all_.size());
  all_.push_back(std::move(version));
}

bool Catalog::supersede(const Catalog& before, RetiredVersions::Budget budget) {
  bool changed = all_.size() != before.all_.size();
  for (const MountedVersionPtr& version : all_)
    changed = changed || before.find_ptr(version->slot) != version;
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
  for (const MountedVersionPtr& version : all_) {
    if (const auto database = database_of(*version)) games += database->games();
  }
  return games;
}

std::uint64_t Catalog::sizes_known() const {
  std::uint64_t known = 0;
  for (const MountedVersionPtr& version : all_) {
    if (const auto database = database_of(*version)) known += database->sizes().known();
  }
  return known;
}

std::size_t Catalog::databases() const {
  const auto has_one = [](const MountedVersionPtr& version) {
    return database_of(*version) != nullptr;
  };
  return unread() + static_cast<std::size_t>(std::ranges::count_if(all_, has_one));
}

std::size_t Catalog::unread() const {
  return static_cast<std::size_t>(std::ranges::count_if(all_, [](const MountedVersionPtr& version) {
    return version->lazy != nullptr && version->lazy->made() == nullptr;
  }));
}

}  // namespace scidfs::fs
