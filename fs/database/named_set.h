// Directories named after players or events: sorted in groups, found by name, with numbers that
// never change.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// A set of items (ids of other objects) that appear as directories. Items lie in groups (a shard, a
// year); within a group they are sorted by name, letter case folded. Where two names of a group
// collide (equal except for case and the spelling of accents, as Windows, Samba and macOS compare
// them: codec::fold_case), the lowest item keeps the clean name and the others get `~<item>`; so do
// all items with the name of a file of pages (kPageFiles).
//
// Each item has a key (LocalId::key) computed from group and name, so that the number of a
// directory outlives the ids of its file. Items are found by the hash of their name, in time
// logarithmic in their number even if a file was made so that many share a hash. A group is sorted
// when it is first listed. Thread-safe. Takes twelve bytes an item, four more for one with
// `~<item>`.
class NamedSet {
 public:
  // Append the clean file name of an item; and return its group, below kMaxGroups, if it has that
  // name. Called again for each lookup.
  using AppendName = std::function<void(std::uint32_t id, std::string& out)>;
  using GroupOf = std::function<std::uint32_t(std::uint32_t id, std::string_view name)>;
  static constexpr std::uint32_t kMaxGroups = 1U << 16;

  // What a set needs to know of its items.
  struct Naming {
    AppendName append_name;
    GroupOf group_of;
  };

  NamedSet() = default;
  // REQUIRES: ids ascending.
  NamedSet(std::span<const std::uint32_t> ids, Naming naming);

  struct Group {
    std::uint32_t group = 0;
    std::uint32_t begin = 0;  // positions of its items
    std::uint32_t end = 0;
  };
  struct Keyed {
    std::uint32_t key = 0;
    std::uint32_t id : 31 = 0;
    std::uint32_t renamed : 1 = 0;  // listed with `~id`
  };

  // All that a set computes, for an index file (stored_index.h).
  struct Arrays {
    std::span<const Group> groups;
    std::span<const std::uint32_t> order;  // the ids of each group, by folded name and id
    std::span<const Keyed> by_key;  // by the hash of the listed name, then by group and that name,
                                    // folded
    std::span<const std::uint32_t> renamed;  // the ids of those listed with `~id`, ascending
  };
  // Returns them, after it has sorted all groups.
  Arrays arrays() const;
  // Returns the set of such arrays, which outlive it. Returns nothing unless all ids are below
  // `end_of_ids`, and all positions are there: then any values are harmless.
  static std::optional<NamedSet> of_arrays(const Arrays& arrays, std::uint32_t end_of_ids,
                                           Naming naming);
  // Returns the groups that have items, ascending.
  std::span<const Group> groups() const { return arrays_.groups; }
  const Group* find_group(std::uint32_t group) const;

  // An item as it is listed.
  struct Listed {
    std::uint32_t id = 0;
    std::uint32_t key = 0;
    std::string name;
  };
  // Returns the item at a position of a group. Sorts the group first if it is not sorted yet.
  Listed at(const Group& group, std::uint32_t position) const;
  // Returns the id of that item.
  std::uint32_t id_at(const Group& group, std::uint32_t position) const {
    sort_group(group);
    return arrays_.order[position];
  }
  // Returns the item that is listed under `name` in a group.
  std::optional<Listed> find(const Group& group, std::string_view name) const;
  // Returns the item that keeps its clean name in a group, of those whose clean names collide with
  // `name`.
  std::optional<std::uint32_t> find_clean(const Group& group, std::string_view name) const;
  // Returns the items that are listed with `~<item>`, ascending.
  std::span<const std::uint32_t> renamed() const { return arrays_.renamed; }
  // Returns the id of the item with a key.
  std::optional<std::uint32_t> find_key(std::uint32_t key) const;
  // Returns the group of an item.
  std::uint32_t group_of(std::uint32_t id) const;

  // Return an item as it is listed; and append only its listed name. Neither searches by name.
  // REQUIRES: the item is in the set.
  Listed of(std::uint32_t id) const;
  void append_listed_name(std::uint32_t id, std::string& out) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  struct Hashed;

  static void sort_by_hash(std::vector<Hashed>& items);
  void sort_equal_hashes(std::vector<Hashed>& items) const;
  void make_groups(std::span<const Hashed> items);
  bool rename_all_but_first(std::vector<Hashed>& hashed) const;
  std::string folded(std::uint32_t id) const;
  std::string folded_listed(std::uint32_t id, bool renamed) const;
  bool is_renamed(std::uint32_t id) const;
  void sort_group(const Group& group) const;
  // Returns the item that is listed in a group under a name that folds to `folded_name` and for
  // which `matches` is true, which distinguishes it from its neighbors; null if there is none.
  template <class Matches>
  const Keyed* find_listed(const Group& group, std::string_view folded_name,
                           const Matches& matches) const;

  AppendName append_name_;
  GroupOf group_of_;
  // The ids of each group are sorted once its flag is set, and by id before. Without flags all are
  // sorted.
  std::unique_ptr<std::once_flag[]> sorted_;
  std::vector<Group> own_groups_;
  mutable std::vector<std::uint32_t> own_order_;
  std::vector<Keyed> own_by_key_;
  std::vector<std::uint32_t> own_renamed_;
  Arrays arrays_;  // those above, or another's
};

// Returns the naming of a set in groups by the shards of names (shard_key()). `text_of` returns the
// name of an item, as it is before it becomes a file name.
NamedSet::Naming naming_by_shard(std::function<std::string_view(std::uint32_t id)> text_of);

}  // namespace scidfs::fs
