// The tree that names of openings make, as directories: `Sicilian: Najdorf, 6.a4` stands below
// `Sicilian: Najdorf`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/reference/opening_names.h"

namespace scidfs::fs {

// A part of a name: it is split at each `:` and `,` that is not in brackets. Without blanks around
// it. `end`: where it ends in the name.
struct OpeningPart {
  std::string_view text;
  std::size_t end = 0;
};
// Not empty unless the name is; without parts that are empty, but at least one.
std::vector<OpeningPart> parts_of_opening(std::string_view name);

// Immutable; any number of threads may use it. Made in a few milliseconds.
class OpeningGroups {
 public:
  using Index = std::uint32_t;
  static constexpr Index kRoot = 0;  // of all names

  // Groups stand in the order of a walk through the tree: those below a group follow it, sorted by
  // their file names, letter case folded.
  struct Group {
    std::string name;       // the name as far as this part, `Sicilian: Najdorf`
    std::string part;       // `Najdorf`
    std::string file_name;  // of its directory; no other one beside it folds to the same
    Index parent = kRoot;
    Index end = 0;          // after the last one below it
    std::uint32_t key = 0;  // of its path, for inode numbers; 0 for the root alone
  };

  // Parts without a digit are the same if they differ in case alone; with a digit they are moves,
  // and `Cxd5` is not `cxd5`.
  explicit OpeningGroups(const OpeningNames& names);
  // Of no names.
  OpeningGroups() : groups_(1), of_(1, kRoot) {}

  Index size() const { return static_cast<Index>(groups_.size()); }
  const Group& operator[](Index index) const { return groups_[index]; }
  // The group of a name; kRoot for kNoOpening.
  Index of(OpeningNumber number) const { return of_[number]; }
  // The groups right below one, in their order; and the one with a file name.
  std::vector<Index> below(Index parent) const;
  std::optional<Index> find(Index parent, std::string_view file_name) const;
  std::optional<Index> find_key(std::uint32_t key) const;

  // Bytes of memory that it costs.
  std::size_t memory() const;

 private:
  void give_file_names(std::vector<Group>& groups, const std::vector<std::vector<Index>>& below);
  void give_keys();

  std::vector<Group> groups_;
  std::vector<Index> of_;      // by OpeningNumber
  std::vector<Index> by_key_;  // all but the root, by their keys
};

}  // namespace scidfs::fs
