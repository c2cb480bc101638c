// What a mount shows at one moment.
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

// Immutable, but for the notes when retired versions were last used. Thread-safe. Everything is
// found by its key in constant time.
class Catalog {
 public:
  // Whoever makes one adds what it shows, parents and children in any order, and then shares it.
  // `root`: the slot of what the mount point itself is.
  Catalog(std::uint32_t generation, std::uint16_t root) : generation_(generation), root_(root) {}
  void add(MountedVersionPtr shown);
  // Takes over what `before` showed, and what it kept for readers, unless it is shown here too.
  // Returns whether this catalog shows anything else than that.
  bool supersede(const Catalog& before, RetiredVersions::Budget budget);

  // How many catalogs the mount has had before.
  std::uint32_t generation() const { return generation_; }
  std::uint16_t root() const { return root_; }
  // Everything that is shown, in the order in which it was added.
  const std::vector<MountedVersionPtr>& all() const { return all_; }
  // What has this slot for its directories, in its newest version; null if there is none.
  const MountedVersion* find(std::uint16_t slot) const;
  MountedVersionPtr find_ptr(std::uint16_t slot) const;
  // The version that files of this slot and epoch belong to, newest or not; null if it is gone.
  // Counts as use of it.
  MountedVersionPtr version(std::uint16_t slot, std::uint16_t epoch) const;
  // The same without use.
  bool has(std::uint16_t slot, std::uint16_t epoch) const;

  const RetiredVersions& retired() const { return retired_; }
  // Lets go of versions that have not been used for long, or cost too much. Whether there were any.
  bool let_go(RetiredVersions::Budget budget) { return retired_.let_go(budget); }

  std::uint64_t games() const;
  // Games whose size is known.
  std::uint64_t sizes_known() const;
  std::size_t databases() const;

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
