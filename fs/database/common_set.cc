#include "fs/database/common_set.h"

#include <algorithm>
#include <span>

#include "codec/unicode.h"
#include "fs/base/filename.h"

namespace scidfs::fs {

CommonSet::CommonSet(Source source) : source_(std::move(source)) {
  for (std::size_t part = 0; part < source_.parts.size(); ++part) {
    Renamed& renamed = renamed_.emplace_back();
    for (const std::uint32_t id : source_.parts[part]->renamed()) {
      renamed.emplace_back(source_.id_of(part, id), id);
    }
    std::ranges::sort(renamed);
    renamed.shrink_to_fit();
  }
}

// Returns the ids in a part of an item with a clean name. Those are the item of this name, and some
// that the part lists with a number.
std::vector<std::uint32_t> CommonSet::ids_in(std::size_t part, std::uint32_t group,
                                             std::string_view name, std::uint32_t id) const {
  std::vector<std::uint32_t> ids;
  const NamedSet& items = *source_.parts[part];
  const NamedSet::Group* const found = items.find_group(group);
  if (found == nullptr) return ids;
  const std::optional<std::uint32_t> clean = items.find_clean(*found, name);
  // Without it, no other name of the group collides with this one, unless no item may have it.
  if (!clean.has_value() && !is_page_file(codec::fold_case(name))) return ids;
  if (clean.has_value() && source_.id_of(part, *clean) == id) ids.push_back(*clean);
  const Renamed& renamed = renamed_[part];
  auto same =
      std::ranges::lower_bound(renamed, id, {}, [](const auto& item) { return item.first; });
  for (; same != renamed.end() && same->first == id; ++same) ids.push_back(same->second);
  return ids;
}

// Returns the item that keeps the clean name of those that collide with a name.
std::optional<std::uint32_t> CommonSet::find_clean(std::uint32_t group,
                                                   std::string_view name) const {
  for (std::size_t part = 0; part < source_.parts.size(); ++part) {
    const NamedSet::Group* const found = source_.parts[part]->find_group(group);
    if (found == nullptr) continue;
    const std::optional<std::uint32_t> id = source_.parts[part]->find_clean(*found, name);
    if (id.has_value()) return source_.id_of(part, *id);
  }
  return std::nullopt;
}

// Returns whether an item, if it is one, is in a group and has a clean name.
bool CommonSet::has(std::uint32_t group, std::string_view name, std::uint32_t id) const {
  for (std::size_t part = 0; part < source_.parts.size(); ++part) {
    if (ids_in(part, group, name, id).empty()) continue;
    std::string own;
    source_.append_name(id, own);
    return own == name && source_.group_of(id, own) == group;
  }
  return false;
}

std::uint64_t CommonSet::positions(std::uint32_t group) const {
  std::uint64_t count = 0;
  for (const NamedSet* const part : source_.parts) {
    const NamedSet::Group* const found = part->find_group(group);
    if (found != nullptr) count += found->end - found->begin;
  }
  return count;
}

std::optional<std::string> CommonSet::at(std::uint32_t group, std::uint64_t position) const {
  for (std::size_t part = 0; part < source_.parts.size(); ++part) {
    const NamedSet::Group* const found = source_.parts[part]->find_group(group);
    if (found == nullptr) continue;
    const std::uint64_t size = found->end - found->begin;
    if (position >= size) {
      position -= size;
      continue;
    }
    const std::uint32_t own =
        source_.parts[part]->id_at(*found, static_cast<std::uint32_t>(found->begin + position));
    const std::uint32_t id = source_.id_of(part, own);
    std::string name;
    source_.append_name(id, name);
    for (std::size_t before = 0; before < part; ++before) {
      if (!ids_in(before, group, name, id).empty()) return std::nullopt;
    }
    if (ids_in(part, group, name, id).front() != own) return std::nullopt;
    return find_clean(group, name) == id ? name : with_collision_suffix(name, id);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> CommonSet::find(std::uint32_t group, std::string_view name) const {
  if (const auto suffix = parse_collision_suffix(name); suffix.has_value()) {
    const auto& [clean, id] = *suffix;
    const bool is_there = has(group, clean, id) && find_clean(group, clean) != id;
    return is_there ? std::optional(id) : std::nullopt;
  }
  const std::optional<std::uint32_t> id = find_clean(group, name);
  return id.has_value() && has(group, name, *id) ? id : std::nullopt;
}

std::vector<std::uint32_t> CommonSet::ids_in(std::size_t part, std::uint32_t id) const {
  std::string name;
  source_.append_name(id, name);
  return ids_in(part, source_.group_of(id, name), name, id);
}

void CommonSet::append_listed_name(std::uint32_t id, std::string& out) const {
  const std::size_t begin = out.size();
  source_.append_name(id, out);
  const std::string name = out.substr(begin);
  if (find_clean(source_.group_of(id, name), name) == id) return;
  out.replace(begin, out.npos, with_collision_suffix(name, id));
}

std::size_t CommonSet::memory() const {
  std::size_t bytes = renamed_.capacity() * sizeof(Renamed);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the vector holds pointers.
  bytes += source_.parts.capacity() * sizeof(const NamedSet*);
  for (const Renamed& renamed : renamed_) bytes += renamed.capacity() * sizeof(renamed[0]);
  return bytes;
}

}  // namespace scidfs::fs
