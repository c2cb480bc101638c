#include "fs/database/named_set.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

#include "cache/hash.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "fs/base/inode.h"
#include "fs/database/group_names.h"

namespace scidfs::fs {
namespace {

// Keys are the upper bits of a hash. They are below kMaxKey / 2, which leaves room above for keys
// that move on.
constexpr unsigned kHashShift = 64 - (kKeyBits - 1);
// There are fewer players and events than this.
constexpr std::uint32_t kIdMask = 0x7FFFFFFF;

// Returns the hash of a name in a group. Spreads the seed first: with small seeds, short names of
// different groups would collide.
std::uint64_t hash_of(std::string_view folded_name, std::uint32_t group) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;
  return cache::fingerprint(folded_name, (group + 1) * kSpread);
}

// Calls `use` with the begin and end of each run of several equal hashes. REQUIRES: sorted.
template <class Items, class Use>
void for_equal_hashes(const Items& items, const Use& use) {
  assert(std::ranges::is_sorted(items, {}, [](const auto& item) { return item.hash; }));
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    for (end = begin + 1; end < items.size() && items[end].hash == items[begin].hash;) ++end;
    if (end != begin + 1) use(begin, end);
  }
}

}  // namespace

struct NamedSet::Hashed {
  std::uint64_t hash;
  std::uint32_t id;
  std::uint16_t group;
  bool renamed = false;

  friend bool operator<(const Hashed& a, const Hashed& b) {
    return std::tie(a.hash, a.id) < std::tie(b.hash, b.id);
  }
};

std::string NamedSet::folded(std::uint32_t id) const {
  std::string name;
  append_name_(id, name);
  codec::fold_case_in_place(name);
  return name;
}

// Returns the folded name under which the item is listed.
std::string NamedSet::folded_listed(std::uint32_t id, bool renamed) const {
  const std::string name = folded(id);
  return renamed ? with_collision_suffix(name, id) : name;
}

NamedSet::NamedSet(std::span<const std::uint32_t> ids, Naming naming)
    : append_name_(std::move(naming.append_name)), group_of_(std::move(naming.group_of)) {
  assert(std::ranges::is_sorted(ids));
  std::vector<Hashed> items;
  items.reserve(ids.size());
  std::string name;
  for (const std::uint32_t id : ids) {
    name.clear();
    append_name_(id, name);
    const auto group = static_cast<std::uint16_t>(group_of_(id, name));
    codec::fold_case_in_place(name);
    const bool renamed = is_page_file(name);
    if (renamed) name = with_collision_suffix(name, id);
    items.push_back({.hash = hash_of(name, group), .id = id, .group = group, .renamed = renamed});
  }
  make_groups(items);
  sort_by_hash(items);
  if (rename_all_but_first(items)) sort_by_hash(items);
  sort_equal_hashes(items);

  // Equal keys move on to the next free one.
  own_by_key_.reserve(items.size());
  for (const Hashed& item : items) {
    auto key = static_cast<std::uint32_t>(item.hash >> kHashShift);
    if (!own_by_key_.empty()) key = std::max(key, own_by_key_.back().key + 1);
    own_by_key_.push_back({.key = key, .id = item.id & kIdMask, .renamed = item.renamed});
    if (item.renamed) own_renamed_.push_back(item.id);
  }
  std::sort(own_renamed_.begin(), own_renamed_.end());
  own_renamed_.shrink_to_fit();
  arrays_ = {
      .groups = own_groups_, .order = own_order_, .by_key = own_by_key_, .renamed = own_renamed_};
}

NamedSet::Arrays NamedSet::arrays() const {
  for (const Group& group : arrays_.groups) sort_group(group);
  return arrays_;
}

std::optional<NamedSet> NamedSet::of_arrays(const Arrays& arrays, std::uint32_t end_of_ids,
                                            Naming naming) {
  const auto is_id = [end_of_ids](std::uint32_t id) { return id < end_of_ids; };
  const auto is_there = [&arrays](const Group& group) {
    return group.begin <= group.end && group.end <= arrays.order.size();
  };
  const bool are_sound =
      std::ranges::all_of(arrays.groups, is_there) && std::ranges::all_of(arrays.order, is_id) &&
      std::ranges::all_of(arrays.by_key, [&](const Keyed& entry) { return is_id(entry.id); });
  if (!are_sound) return std::nullopt;
  NamedSet set;
  set.append_name_ = std::move(naming.append_name);
  set.group_of_ = std::move(naming.group_of);
  set.arrays_ = arrays;
  return set;
}

// Sorts by hash. Hashes are evenly distributed: split by their upper bits they are nearly sorted.
void NamedSet::sort_by_hash(std::vector<Hashed>& items) {
  constexpr std::size_t kFew = 4096;
  if (items.size() < kFew) {
    std::sort(items.begin(), items.end());
    return;
  }
  constexpr unsigned kBits = 12;
  std::array<std::uint32_t, (1U << kBits) + 1> ends{};
  for (const Hashed& item : items) ++ends[(item.hash >> (64 - kBits)) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Hashed> dealt(items.size());
  for (const Hashed& item : items) dealt[ends[item.hash >> (64 - kBits)]++] = item;
  std::uint32_t begin = 0;
  for (std::size_t part = 0; part + 1 < ends.size(); begin = ends[part++]) {
    std::sort(dealt.begin() + begin, dealt.begin() + ends[part]);
  }
  items = std::move(dealt);
}

// Sorts items with equal hashes. Hashes of different names are hardly ever equal, unless a file was
// made for that. REQUIRES: sorted.
void NamedSet::sort_equal_hashes(std::vector<Hashed>& items) const {
  std::vector<std::tuple<std::uint16_t, std::string, Hashed>> run;  // group, name, item
  for_equal_hashes(items, [&](std::size_t begin, std::size_t end) {
    run.clear();
    for (std::size_t i = begin; i < end; ++i) {
      run.emplace_back(items[i].group, folded_listed(items[i].id, items[i].renamed), items[i]);
    }
    std::sort(run.begin(), run.end());
    for (std::size_t i = begin; i < end; ++i) items[i] = std::get<Hashed>(run[i - begin]);
  });
}

void NamedSet::make_groups(std::span<const Hashed> items) {
  // Room up to the greatest existing group, not for kMaxGroups: there may be thousands of small
  // databases.
  const auto last = std::ranges::max_element(items, {}, &Hashed::group);
  const std::uint32_t count = last == items.end() ? 0 : std::uint32_t{last->group} + 1;
  std::vector<std::uint32_t> ends(count + 1);
  for (const Hashed& item : items) ++ends[item.group + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (std::uint32_t group = 0; group < count; ++group) {
    if (ends[group] == ends[group + 1]) continue;
    own_groups_.push_back({.group = group, .begin = ends[group], .end = ends[group + 1]});
  }
  own_order_.resize(items.size());
  for (const Hashed& item : items) own_order_[ends[item.group]++] = item.id;
  sorted_ = std::make_unique<std::once_flag[]>(own_groups_.size());
}

std::uint32_t NamedSet::group_of(std::uint32_t id) const {
  std::string name;
  append_name_(id, name);
  return group_of_(id, name);
}

// Leaves a name to the first of several equal ones in a group. The others get the hash of their
// listed name. Returns whether there were any. REQUIRES: sorted.
bool NamedSet::rename_all_but_first(std::vector<Hashed>& hashed) const {
  bool renamed = false;
  std::vector<std::tuple<std::uint16_t, std::string, Hashed*>> run;  // group, name, item
  for_equal_hashes(hashed, [&](std::size_t begin, std::size_t end) {
    run.clear();
    for (std::size_t i = begin; i < end; ++i) {
      run.emplace_back(hashed[i].group, folded(hashed[i].id), &hashed[i]);
    }
    std::sort(run.begin(), run.end());
    for (std::size_t i = 1; i < run.size(); ++i) {
      const auto& [group, name, item] = run[i];
      if (group != std::get<0>(run[i - 1]) || name != std::get<1>(run[i - 1])) continue;
      item->hash = hash_of(with_collision_suffix(name, item->id), group);
      item->renamed = true;
      renamed = true;
    }
  });
  return renamed;
}

const NamedSet::Group* NamedSet::find_group(std::uint32_t group) const {
  const auto found = std::ranges::lower_bound(arrays_.groups, group, {}, &Group::group);
  return found != arrays_.groups.end() && found->group == group ? &*found : nullptr;
}

void NamedSet::sort_group(const Group& group) const {
  if (sorted_ == nullptr) return;
  const auto number = static_cast<std::size_t>(&group - arrays_.groups.data());
  std::call_once(sorted_[number], [&] {
    std::vector<std::pair<std::string, std::uint32_t>> names;
    names.reserve(group.end - group.begin);
    for (std::uint32_t position = group.begin; position < group.end; ++position) {
      names.emplace_back(folded(own_order_[position]), own_order_[position]);
    }
    std::sort(names.begin(), names.end());
    for (std::uint32_t position = group.begin; position < group.end; ++position) {
      own_order_[position] = names[position - group.begin].second;
    }
  });
}

template <class Matches>
const NamedSet::Keyed* NamedSet::find_listed(const Group& group, std::string_view folded_name,
                                             const Matches& matches) const {
  const std::uint64_t hash = hash_of(folded_name, group.group);
  const auto key = static_cast<std::uint32_t>(hash >> kHashShift);
  const std::span<const Keyed> by_key = arrays_.by_key;
  const auto first = static_cast<std::size_t>(
      std::ranges::lower_bound(by_key, key, {}, &Keyed::key) - by_key.begin());
  // Keys that moved on follow without a gap. There are hardly ever more than two.
  const auto follows = [&](std::size_t i) {
    return i < by_key.size() && by_key[i].key - key == i - first;
  };
  constexpr std::size_t kFew = 4;
  for (std::size_t i = first; i < first + kFew; ++i) {
    if (!follows(i)) return nullptr;
    if (matches(by_key[i])) return &by_key[i];
  }
  std::size_t width = kFew;
  while (follows(first + width)) width *= 2;
  const auto begin = by_key.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(width, by_key.size() - first));
  const auto found = std::partition_point(begin, end, [&](const Keyed& entry) {
    const std::string name = folded_listed(entry.id, entry.renamed);
    const std::uint32_t own_group = group_of(entry.id);
    return std::tuple(hash_of(name, own_group), own_group, std::string_view(name)) <
           std::tuple(hash, group.group, folded_name);
  });
  return found != end && matches(*found) ? &*found : nullptr;
}

NamedSet::Listed NamedSet::at(const Group& group, std::uint32_t position) const {
  return of(id_at(group, position));
}

bool NamedSet::is_renamed(std::uint32_t id) const {
  return std::ranges::binary_search(arrays_.renamed, id);
}

void NamedSet::append_listed_name(std::uint32_t id, std::string& out) const {
  const std::size_t begin = out.size();
  append_name_(id, out);
  if (is_renamed(id)) out.replace(begin, out.npos, with_collision_suffix(out.substr(begin), id));
}

NamedSet::Listed NamedSet::of(std::uint32_t id) const {
  Listed item{.id = id, .key = 0, .name = {}};
  append_name_(id, item.name);
  const Group* const group = find_group(group_of_(id, item.name));
  if (group == nullptr) return item;  // the arrays are not of these names
  const bool renamed = is_renamed(id);
  if (renamed) item.name = with_collision_suffix(item.name, id);
  const Keyed* const keyed = find_listed(*group, codec::fold_case(item.name),
                                         [&](const Keyed& entry) { return entry.id == id; });
  if (keyed != nullptr) item.key = keyed->key;
  return item;
}

std::size_t NamedSet::memory() const {
  return own_groups_.capacity() * (sizeof(Group) + sizeof(std::once_flag)) +
         own_order_.capacity() * sizeof(own_order_[0]) + own_by_key_.capacity() * sizeof(Keyed) +
         own_renamed_.capacity() * sizeof(own_renamed_[0]);
}

std::optional<NamedSet::Listed> NamedSet::find(const Group& group, std::string_view name) const {
  Listed item;
  const auto matches = [&](const Keyed& entry) {
    item = {.id = entry.id, .key = entry.key, .name = {}};
    append_name_(item.id, item.name);
    if (group_of_(item.id, item.name) != group.group) return false;
    if (entry.renamed != 0) item.name = with_collision_suffix(item.name, item.id);
    return item.name == name;
  };
  if (find_listed(group, codec::fold_case(name), matches) == nullptr) return std::nullopt;
  return item;
}

std::optional<std::uint32_t> NamedSet::find_clean(const Group& group, std::string_view name) const {
  const std::string folded_name = codec::fold_case(name);
  const Keyed* const keyed = find_listed(group, folded_name, [&](const Keyed& entry) {
    return entry.renamed == 0 && folded(entry.id) == folded_name &&
           group_of(entry.id) == group.group;
  });
  if (keyed == nullptr) return std::nullopt;
  return keyed->id;
}

std::optional<std::uint32_t> NamedSet::find_key(std::uint32_t key) const {
  const auto found = std::ranges::lower_bound(arrays_.by_key, key, {}, &Keyed::key);
  if (found == arrays_.by_key.end() || found->key != key) return std::nullopt;
  return found->id;
}

NamedSet::Naming naming_by_shard(std::function<std::string_view(std::uint32_t)> text_of) {
  return {
      .append_name = [text_of = std::move(text_of)](
                         std::uint32_t id, std::string& out) { append_escaped(text_of(id), out); },
      .group_of = [](std::uint32_t, std::string_view name) { return shard_key(shard_of(name)); }};
}

}  // namespace scidfs::fs
