#include "fs/database/common_events.h"

#include <algorithm>
#include <cassert>

#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/work_cost.h"

namespace scidfs::fs {

absl::StatusOr<CommonEventsPtr> CommonEvents::merge(std::vector<DatabasePtr> databases,
                                                    const WorkBudget& budget) {
  std::vector<Part> parts;
  for (const DatabasePtr& each : databases) {
    const Database& database = *each;
    parts.push_back({.size = static_cast<std::uint32_t>(database.lists().events().size()),
                     .set = &database.lists().event_set(),
                     .key_of = [&database](std::uint32_t event) {
                       const GameLists& lists = database.lists();
                       const EventKey& key = lists.events()[event];
                       return Key(known_name(lists.event_text(key)),
                                  known_name(lists.site_text(key)), key.year);
                     }});
  }
  return merge_parts(std::move(databases), std::move(parts), budget);
}

absl::StatusOr<CommonEventsPtr> CommonEvents::merge_tournaments(std::vector<DatabasePtr> databases,
                                                                const WorkBudget& budget) {
  assert(std::ranges::all_of(
      databases, [](const DatabasePtr& database) { return database->tournaments() != nullptr; }));
  std::vector<Part> parts;
  for (const DatabasePtr& database : databases) {
    const Tournaments& all = *database->tournaments();
    parts.push_back({.size = all.size(), .set = &all.set(), .key_of = [&all](std::uint32_t event) {
                       return Key(known_name(all.event(event)), known_name(all.site(event)),
                                  all.year(event));
                     }});
  }
  return merge_parts(std::move(databases), std::move(parts), budget);
}

absl::StatusOr<CommonEventsPtr> CommonEvents::merge_parts(std::vector<DatabasePtr> databases,
                                                          std::vector<Part> parts,
                                                          const WorkBudget& budget) {
  const std::shared_ptr<CommonEvents> common(
      new CommonEvents(std::move(databases), std::move(parts)));
  std::vector<std::uint32_t> sizes;
  std::size_t events = 0;
  CommonSet::Source source;
  for (const Part& part : common->parts_) {
    sizes.push_back(part.size);
    events += part.size;
    source.parts.push_back(part.set);
  }
  if (!budget.spend(events / kNamesOfGame)) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(CommonIds ids, CommonIds::merge<Key>(
                                      sizes,
                                      [&](std::size_t part, std::uint32_t event) {
                                        return common->parts_[part].key_of(event);
                                      },
                                      budget));
  common->ids_ = std::move(ids);
  source.id_of = [&all = *common](std::size_t part, std::uint32_t event) {
    return all.id_of(part, event);
  };
  const auto key_of = [&all = *common](std::uint32_t id) {
    const CommonIds::Place first = all.ids_.first(id);
    return all.parts_[first.part].key_of(first.id);
  };
  source.append_name = [key_of](std::uint32_t id, std::string& out) {
    const auto [event, site, year] = key_of(id);
    out += event_directory_name(event, site);
  };
  source.group_of = [key_of](std::uint32_t id, std::string_view) -> std::uint32_t {
    return std::get<std::uint16_t>(key_of(id));
  };
  common->set_ = CommonSet(std::move(source));
  return common;
}

}  // namespace scidfs::fs
