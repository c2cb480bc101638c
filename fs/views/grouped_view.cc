#include "fs/views/grouped_view.h"

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
  if (absl::Status status = prepare(version, budget); !status.ok()) return status;
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

std::optional<Child> GroupedView::lookup(const Version& version, LocalId directory,
                                         std::string_view name) const {
  if (directory.entry == kGroup) return find_member(version, directory.key, name, members());
  const std::optional<std::uint32_t> group = parse_group(name);
  if (group.has_value() && named(version).find_group(*group) != nullptr) {
    return group_directory(*group);
  }
  return find_other(version, name);
}

std::optional<Child> GroupedView::find_member(const Version& version, std::uint32_t group,
                                              std::string_view name, const SetView& view) const {
  const NamedSet& named = this->named(version);
  const NamedSet::Group* const found = named.find_group(group);
  if (found == nullptr) return std::nullopt;
  const std::optional<NamedSet::Listed> member = named.find(*found, name);
  if (!member.has_value()) return std::nullopt;
  return view.set_directory(std::string(name), member->key);
}

}  // namespace scidfs::fs
