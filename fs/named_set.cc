#include "fs/named_set.h"

#include <algorithm>
#include <tuple>

#include "cache/sizes_file.h"
#include "fs/filename.h"

namespace scidfs::fs {
namespace {

// Leaves room above for keys that had to move on.
constexpr std::uint32_t kHashMask = 0x7FFFFFFF;

}  // namespace

NamedSet::NamedSet(std::span<const Item> items, NameOf name_of) : name_of_(std::move(name_of)) {
  struct Sorted {
    std::uint32_t group;
    std::string folded;
    std::uint32_t id;
  };
  std::vector<Sorted> sorted;
  sorted.reserve(items.size());
  for (const Item& item : items) {
    sorted.push_back({item.group, fold_name(name_of_(item.id)), item.id});
  }
  std::sort(sorted.begin(), sorted.end(), [](const Sorted& a, const Sorted& b) {
    return std::tie(a.group, a.folded, a.id) < std::tie(b.group, b.folded, b.id);
  });

  order_.reserve(sorted.size());
  by_key_.reserve(sorted.size());
  for (const Sorted& item : sorted) {
    const auto position = static_cast<std::uint32_t>(order_.size());
    const bool first_of_name = position == 0 || sorted[position - 1].group != item.group ||
                               sorted[position - 1].folded != item.folded;
    // The folded name will do: which of several equal ones it is, is told by the item.
    const std::string name =
        first_of_name ? item.folded : with_collision_suffix(item.folded, item.id);
    by_key_.emplace_back(cache::fingerprint(name, item.group) & kHashMask, position);
    if (groups_.empty() || groups_.back().group != item.group) {
      groups_.push_back({.group = item.group, .begin = position, .end = position});
    }
    groups_.back().end = position + 1;
    order_.push_back(item.id);
  }
  // Equal hashes move on to the next free key.
  std::sort(by_key_.begin(), by_key_.end());
  for (std::size_t i = 1; i < by_key_.size(); ++i) {
    if (by_key_[i].first <= by_key_[i - 1].first) by_key_[i].first = by_key_[i - 1].first + 1;
  }
  keys_.resize(order_.size());
  for (const auto& [key, position] : by_key_) keys_[position] = key;
}

const NamedSet::Group* NamedSet::find_group(std::uint32_t group) const {
  const auto found = std::lower_bound(
      groups_.begin(), groups_.end(), group,
      [](const Group& entry, std::uint32_t wanted) { return entry.group < wanted; });
  return found != groups_.end() && found->group == group ? &*found : nullptr;
}

const NamedSet::Group& NamedSet::group_at(std::uint32_t position) const {
  const auto after = std::upper_bound(
      groups_.begin(), groups_.end(), position,
      [](std::uint32_t wanted, const Group& entry) { return wanted < entry.begin; });
  return *(after - 1);
}

std::string NamedSet::folded_at(std::uint32_t position) const {
  return fold_name(name_of_(order_[position]));
}

bool NamedSet::collides(const Group& group, std::uint32_t position) const {
  return position > group.begin && folded_at(position - 1) == folded_at(position);
}

std::string NamedSet::name_at(const Group& group, std::uint32_t position) const {
  std::string name = name_of_(order_[position]);
  return collides(group, position) ? with_collision_suffix(name, order_[position]) : name;
}

std::optional<std::uint32_t> NamedSet::find(const Group& group, std::string_view name) const {
  // The suffix of a collision names the id; without one the first of equal names is meant.
  const auto suffixed = parse_collision_suffix(name);
  const std::pair<std::string, std::uint32_t> wanted(
      fold_name(suffixed.has_value() ? suffixed->first : name),
      suffixed.has_value() ? suffixed->second : 0);
  std::uint32_t low = group.begin;
  std::uint32_t high = group.end;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (std::pair(folded_at(middle), order_[middle]) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low != group.end && name_at(group, low) == name ? std::optional(low) : std::nullopt;
}

std::optional<std::uint32_t> NamedSet::find_key(std::uint32_t key) const {
  const auto found = std::lower_bound(
      by_key_.begin(), by_key_.end(), key,
      [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  if (found == by_key_.end() || found->first != key) return std::nullopt;
  return found->second;
}

}  // namespace scidfs::fs
