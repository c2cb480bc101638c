// The contents of a mount at one moment.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/base/inode.h"
#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/file/time.h"
#include "fs/library/mounted_version.h"
#include "fs/library/retired.h"

namespace scidfs::fs {

// An immutable set of mounted versions, found by their keys in constant time. Only the times of
// last use of retired versions change. Thread-safe.
class Catalog {
 public:
  // The creator adds all entries, parents and children in any order, and then shares the catalog.
  // `root`: the slot of the mount point.
  Catalog(std::uint32_t generation, std::uint16_t root) : generation_(generation), root_(root) {}
  void add(MountedVersionPtr version);
  // Takes over the versions that `before` showed or kept for readers, except those that this
  // catalog shows. Returns whether the two catalogs show different versions.
  bool supersede(const Catalog& before, RetiredVersions::Budget budget);

  // Returns how many catalogs the mount has had before.
  std::uint32_t generation() const { return generation_; }
  std::uint16_t root() const { return root_; }
  // Returns all entries in the order in which they were added.
  const std::vector<MountedVersionPtr>& all() const { return all_; }
  // Returns the newest version of the entry whose directories have this slot; null if there is
  // none.
  const MountedVersion* find(std::uint16_t slot) const;
  MountedVersionPtr find_ptr(std::uint16_t slot) const;
  // Returns the version that files of this slot and epoch belong to, newest or not; null if it has
  // been evicted. Counts as use of it.
  MountedVersionPtr version(std::uint16_t slot, std::uint16_t epoch) const;
  // Returns whether there is such a version. Does not count as use.
  bool has(std::uint16_t slot, std::uint16_t epoch) const;

  const RetiredVersions& retired() const { return retired_; }
  // Evicts retired versions that are unused for long or exceed the budget. Returns whether there
  // were any.
  bool let_go(RetiredVersions::Budget budget) { return retired_.let_go(budget); }

  // Return the number of databases, without those that were refused, and of those among them that
  // have not been read yet.
  std::size_t databases() const;
  std::size_t unread() const;
  // Return the number of games in databases that have been read, and of those whose size is known.
  std::uint64_t games() const;
  std::uint64_t sizes_known() const;

 private:
  const std::uint32_t generation_;
  const std::uint16_t root_;
  std::vector<MountedVersionPtr> all_;
  absl::flat_hash_map<std::uint16_t, std::size_t> by_slot_;  // into all_
  absl::flat_hash_map<VersionKey, std::size_t> by_version_;  // into all_
  RetiredVersions retired_;
};
using CatalogPtr = std::shared_ptr<const Catalog>;

}  // namespace scidfs::fs
