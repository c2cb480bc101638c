// Directories named after players or events: sorted in groups, found by name, numbered for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::fs {

// A set of items (ids of something else) that appear as directories. Items lie in groups (a shard,
// a year); within a group they are sorted by name, letter case folded. Where two names of a group
// collide (equal but for case), the lower item keeps it clean and the others get `~<item>`.
//
// Each item has a key of 32 bits computed from group and name, so that the number of a directory
// outlives the ids of the file it came from. Immutable; any number of threads may read it.
class NamedSet {
 public:
  struct Item {
    std::uint32_t id = 0;
    std::uint32_t group = 0;
  };
  // The clean file name of an item; called again for each look-up.
  using NameOf = std::function<std::string(std::uint32_t id)>;

  NamedSet() = default;
  NamedSet(std::span<const Item> items, NameOf name_of);

  struct Group {
    std::uint32_t group = 0;
    std::uint32_t begin = 0;  // positions of its items
    std::uint32_t end = 0;
  };
  // The groups that have items, ascending.
  std::span<const Group> groups() const { return groups_; }
  const Group* find_group(std::uint32_t group) const;
  // The group of the item at a position.
  const Group& group_at(std::uint32_t position) const;

  // The item at a position, and its name as listed.
  std::uint32_t id_at(std::uint32_t position) const { return order_[position]; }
  std::string name_at(const Group& group, std::uint32_t position) const;
  std::uint32_t key_at(std::uint32_t position) const { return keys_[position]; }

  // The position of the item that is listed under `name` in a group.
  std::optional<std::uint32_t> find(const Group& group, std::string_view name) const;
  // The position of the item with a key.
  std::optional<std::uint32_t> find_key(std::uint32_t key) const;

 private:
  // Whether the item before this one in the group has the same folded name.
  bool collides(const Group& group, std::uint32_t position) const;
  std::string folded_at(std::uint32_t position) const;

  NameOf name_of_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> order_;                             // ids by group, folded name, id
  std::vector<std::uint32_t> keys_;                              // of each position
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key_;  // key and position
};

}  // namespace scidfs::fs
