// The tree of opening names, as directories: `Sicilian: Najdorf, 6.a4` is below `Sicilian:
// Najdorf`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/reference/opening_names.h"

namespace scidfs::fs {

// A part of a name, without blanks around it. Names are split at each `:` and `,` that is not in
// brackets. `end`: where the part ends in the name.
struct OpeningPart {
  std::string_view text;
  std::size_t end = 0;
};
// Returns the parts of a name, without empty ones, but at least one; nothing for an empty name.
std::vector<OpeningPart> parts_of_opening(std::string_view name);

// The tree of opening names. Immutable; any number of threads may use it. Takes a few milliseconds
// to make.
class OpeningGroups {
 public:
  using Index = std::uint32_t;
  static constexpr Index kRoot = 0;  // the group of all names

  // Groups are in the order of a walk through the tree: those below a group follow it, sorted by
  // their file names, letter case folded.
  struct Group {
    std::string name;       // the name up to this part, `Sicilian: Najdorf`
    std::string part;       // `Najdorf`
    std::string file_name;  // of its directory; unique after folding among its siblings
    Index parent = kRoot;
    Index end = 0;          // after the last group below it
    std::uint32_t key = 0;  // of its path, for inode numbers; 0 for the root only
  };

  // Parts without a digit are the same if they differ only in case. Parts with a digit are moves,
  // and `Cxd5` is not `cxd5`.
  explicit OpeningGroups(const OpeningNames& names);
  // Makes a tree without names.
  OpeningGroups() : groups_(1), of_(1, kRoot) {}

  Index size() const { return static_cast<Index>(groups_.size()); }
  const Group& operator[](Index index) const { return groups_[index]; }
  // Returns the group of a name; kRoot for kNoOpening.
  Index of(OpeningNumber number) const { return of_[number]; }
  // Returns the groups directly below `parent`, in their order; or the one with a file name.
  std::vector<Index> below(Index parent) const;
  std::optional<Index> find(Index parent, std::string_view file_name) const;
  std::optional<Index> find_key(std::uint32_t key) const;

  // Returns the bytes of memory that the tree takes.
  std::size_t memory() const;

 private:
  void give_file_names(std::vector<Group>& groups, const std::vector<std::vector<Index>>& below);
  void give_keys();

  std::vector<Group> groups_;
  std::vector<Index> of_;      // by OpeningNumber
  std::vector<Index> by_key_;  // all but the root, by their keys
};

}  // namespace scidfs::fs
