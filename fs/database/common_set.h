// Directories named after players, people or events of several databases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/database/named_set.h"

namespace scidfs::fs {

// The items of some sets, the parts, where items with the same common id are one. They lie in the
// groups of the parts. Where names of a group collide (see NamedSet), the item that has the clean
// name in the first part with any of them keeps it, and the others get `~<common id>`. Keeps only
// the items that parts list with a number; everything else is found in the parts, in time
// logarithmic in their sizes. Thread-safe. The parts must outlive it.
class CommonSet {
 public:
  struct Source {
    std::vector<const NamedSet*> parts;
    // Returns the common id of an item of a part.
    std::function<std::uint32_t(std::size_t part, std::uint32_t id)> id_of;
    // Those of a common id. REQUIRES: a part has the item.
    NamedSet::AppendName append_name;
    NamedSet::GroupOf group_of;
  };

  CommonSet() = default;
  explicit CommonSet(Source source);

  // Returns the number of positions of a group, and the name of the item at one: nothing where an
  // item is listed before.
  std::uint64_t positions(std::uint32_t group) const;
  std::optional<std::string> at(std::uint32_t group, std::uint64_t position) const;
  // Returns the item that is listed under `name` in a group.
  std::optional<std::uint32_t> find(std::uint32_t group, std::string_view name) const;
  // Return the ids in a part of an item, ascending, and append its listed name. REQUIRES: a part
  // has it.
  std::vector<std::uint32_t> ids_in(std::size_t part, std::uint32_t id) const;
  void append_listed_name(std::uint32_t id, std::string& out) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // Common id, and id in the part.
  using Renamed = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  std::vector<std::uint32_t> ids_in(std::size_t part, std::uint32_t group, std::string_view name,
                                    std::uint32_t id) const;
  std::optional<std::uint32_t> find_clean(std::uint32_t group, std::string_view name) const;
  bool has(std::uint32_t group, std::string_view name, std::uint32_t id) const;

  Source source_;
  std::vector<Renamed> renamed_;  // by part: the items that it lists with a number, ascending
};

}  // namespace scidfs::fs
