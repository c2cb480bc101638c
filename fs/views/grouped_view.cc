#include "fs/views/grouped_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {

Child GroupedView::group_directory(std::uint32_t group) const {
  return {.name = group_name(group),
          .place = {.view = number_, .entry = kGroup, .key = group},
          .is_directory = true};
}

bool GroupedView::exists(const Version& version, LocalId place) const {
  if (place.entry == kDirectory) return place.key == 0;
  return place.entry == kGroup && named(version).find_group(place.key) != nullptr;
}

bool GroupedView::has_content_in_any(const Version& version) const {
  for (std::size_t part = 0; part < version.parts(); ++part) {
    if (has_content(*version.databases[part])) return true;
  }
  return false;
}

LocalId GroupedView::parent(const Version&, LocalId directory) const {
  return directory.entry == kGroup ? LocalId{.view = number_} : LocalId{};
}

LocalId GroupedView::group_of(const Version& version, std::uint32_t key) const {
  const std::optional<std::uint32_t> id = named(version).find_key(key);
  if (!id.has_value()) return {.view = number_};
  return group_directory(named(version).group_of(*id)).place;
}

absl::Status GroupedView::list(const Version& version, LocalId directory, std::uint64_t first,
                               const WorkBudget& budget, EmitChild emit) const {
  RETURN_IF_ERROR(prepare(version, budget));
  const NamedSet& named = this->named(version);
  if (directory.entry == kDirectory) {
    return list_children(
        first, named.groups().size(),
        [&](std::uint64_t i) { return group_directory(named.groups()[i].group); }, emit);
  }
  const NamedSet::Group* const group = named.find_group(directory.key);
  if (group == nullptr) return absl::OkStatus();
  return list_children(
      first, group->end - group->begin,
      [&](std::uint64_t i) {
        NamedSet::Listed member = named.at(*group, static_cast<std::uint32_t>(group->begin + i));
        return members().set_directory(std::move(member.name), member.key);
      },
      emit);
}

absl::StatusOr<std::vector<PageEntry>> GroupedView::largest(const Version& version,
                                                            std::size_t most,
                                                            const WorkBudget& budget) const {
  RETURN_IF_ERROR(prepare(version, budget));
  if (!budget.spend(version.database()->games() / kMemoryEntriesOfGame)) {
    return WorkBudget::exceeded();
  }
  std::vector<std::pair<std::size_t, std::uint32_t>> members;  // games, id
  for_each(version, [&](std::uint32_t id, const GameList& games) {
    const std::size_t count = games.count(std::numeric_limits<std::size_t>::max());
    if (count != 0) members.emplace_back(count, id);
    return !budget.is_cancelled();
  });
  if (budget.is_cancelled()) return WorkBudget::cancelled();
  const auto end = members.begin() + static_cast<std::ptrdiff_t>(std::min(most, members.size()));
  std::partial_sort(members.begin(), end, members.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  members.erase(end, members.end());
  std::vector<PageEntry> entries;
  for (const auto& [games, id] : members) {
    const NamedSet::Listed member = named(version).of(id);
    const SetPtr set = this->members().set_of(version, member.key);
    if (set == nullptr) continue;
    const std::string group = group_name(named(version).group_of(id));
    entries.push_back({.name = codec::clean_line(set->title()),
                       .link = Link().name(group).name(member.name).page(),
                       .words = counted(games, "game")});
  }
  return entries;
}

// Returns the path from a directory of the view to a member.
std::string GroupedView::path_to(const Version& version, LocalId directory,
                                 std::uint32_t member) const {
  const NamedSet& named = this->named(version);
  std::string name = named.of(member).name;
  const std::uint32_t group = named.group_of(member);
  if (is_group(directory) ? directory.key == group : alias(name).has_value()) return name;
  return fmt::format("{}{}/{}", is_group(directory) ? "../" : "", group_name(group), name);
}

absl::StatusOr<std::vector<std::string>> GroupedView::nearest(const Version& version,
                                                              LocalId directory,
                                                              std::string_view name,
                                                              const WorkBudget& budget) const {
  RETURN_IF_ERROR(prepare(version, budget));
  const MisspelledName wanted(name);
  ASSIGN_OR_RETURN(const NearestNames found, nearest_members(version, wanted, budget));
  std::vector<std::string> paths;
  for (const NearestNames::Near& near : found.all()) {
    paths.push_back(path_to(version, directory, near.id));
  }
  return paths;
}

absl::StatusOr<NearestNames> GroupedView::nearest_members(const Version& version,
                                                          const MisspelledName& wanted,
                                                          const WorkBudget& budget) const {
  const NamedSet& named = this->named(version);
  if (!named.groups().empty() && !budget.spend(named.groups().back().end / kFoldedNamesOfGame)) {
    return WorkBudget::exceeded();
  }
  NearestNames nearest(wanted);
  std::string member;
  for_each(version, [&](std::uint32_t id, const GameList& games) {
    if (games.empty()) return true;
    member.clear();
    named.append_listed_name(id, member);
    // So equal names of groups are names of their own.
    member += ' ';
    member += group_name(named.group_of(id));
    nearest.add(member, id);
    return !budget.is_cancelled();
  });
  if (budget.is_cancelled()) return WorkBudget::cancelled();
  return nearest;
}

bool GroupedView::has_group(const Version& version, std::string_view name) const {
  const std::optional<std::uint32_t> group = parse_group(name);
  return group.has_value() && named(version).find_group(*group) != nullptr;
}

std::optional<Child> GroupedView::find(const Version& version, LocalId directory,
                                       std::string_view name) const {
  if (is_group(directory)) {
    return find_member(version, {.group = directory.key, .view = members()}, name);
  }
  if (has_group(version, name)) return group_directory(*parse_group(name));
  const std::optional<MembersOf> aliases = alias(name);
  return aliases.has_value() ? find_member(version, *aliases, name) : find_other(name);
}

std::optional<Child> GroupedView::find_member(const Version& version, const MembersOf& members,
                                              std::string_view name) const {
  const NamedSet& named = this->named(version);
  const NamedSet::Group* const group = named.find_group(members.group);
  if (group == nullptr) return std::nullopt;
  const std::optional<NamedSet::Listed> member = named.find(*group, name);
  if (!member.has_value()) return std::nullopt;
  return members.view.set_directory(std::string(name), member->key);
}

absl::Status GroupedView::list_joined(const Version& together, LocalId group, std::uint64_t first,
                                      const WorkBudget& budget, EmitChild emit) const {
  assert(together.is_together());
  ASSIGN_OR_RETURN(const auto common, this->common(together, budget));
  return list_children(
      first, common->positions(group.key),
      [&](std::uint64_t position) -> std::optional<Child> {
        std::optional<std::string> name = common->at(group.key, position);
        if (!name.has_value()) return std::nullopt;
        return Child{.name = *std::move(name), .place = {}, .is_directory = true};
      },
      emit);
}

std::optional<JoinedPlaces> GroupedView::find_joined(const Version& together, LocalId directory,
                                                     std::string_view name) const {
  assert(together.is_together());
  std::optional<MembersOf> looked_in;
  if (is_group(directory)) {
    looked_in.emplace(MembersOf{.group = directory.key, .view = members()});
  } else {
    for (std::size_t part = 0; part < together.parts(); ++part) {
      if (has_group(together.part(part), name)) return std::nullopt;
    }
    if (const std::optional<MembersOf> aliases = alias(name)) looked_in.emplace(*aliases);
  }
  if (!looked_in.has_value()) return std::nullopt;
  JoinedPlaces places(together.parts());
  const auto common = this->common(together, WorkBudget::unlimited(nullptr));
  if (!common.ok()) return places;
  const std::optional<std::uint32_t> id = (*common)->find(looked_in->group, name);
  for (std::size_t part = 0; id.has_value() && part < together.parts(); ++part) {
    for (const std::uint32_t own : (*common)->ids_in(part, *id)) {
      places[part].push_back(looked_in->view.directory_of(named(together.part(part)).of(own).key));
    }
  }
  return places;
}

}  // namespace scidfs::fs
