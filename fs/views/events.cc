// events/2013/World_Championship--Chennai_IND/{games.pgn,crosstable.txt,...}; each event is a set.
#include <fmt/format.h>

#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/event_set_view.h"
#include "fs/views/grouped_view.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// Keys: of a year itself, of all else the key of the event.
const NamedSet& events_of(const Version& version) { return version.database->lists().event_set(); }

// events/ and its years.
class EventsView : public GroupedView {
 public:
  EventsView() : GroupedView(kEventsView) {}

  std::string_view name() const override { return "events"; }

 protected:
  const NamedSet& named(const Version& version) const override { return events_of(version); }
  const SetView& members() const override { return event_view(); }
  std::string group_name(std::uint32_t year) const override { return year_name(year); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    return parse_year(name);
  }
};

const EventsView& events() {
  static const EventsView kView;
  return kView;
}

// Keys are those of the event set.
class EventView : public EventSetView {
 public:
  EventView() : EventSetView(kEventView) {}

  std::string directory_name(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    return event.has_value() ? events_of(version).of(*event).name : "";
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    if (!event.has_value()) return "";
    const Database& database = *version.database;
    const EventKey& names = database.lists().events()[*event];
    std::string title = fmt::format("{}, {}", database.names()[NameKind::Event].text(names.event),
                                    database.names()[NameKind::Site].text(names.site));
    if (names.year != 0) title += fmt::format(", {}", names.year);
    return title;
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    return events().group_of(version, key);
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    return event.has_value() ? version.database->lists().event_games().games(*event) : GameList();
  }
  CrosstableInfo heading(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    if (!event.has_value()) return {};
    const EventKey& names = version.database->lists().events()[*event];
    return {.event = version.database->names()[NameKind::Event].text(names.event),
            .site = version.database->names()[NameKind::Site].text(names.site)};
  }
};

}  // namespace

const View& events_view() { return events(); }

const SetView& event_view() {
  static const EventView kView;
  return kView;
}

}  // namespace scidfs::fs
