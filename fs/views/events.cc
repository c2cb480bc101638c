// events/2013/World_Championship--Chennai_IND/{games.pgn,crosstable.txt,...}; each event is a set.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/event_set.h"
#include "fs/views/grouped_view.h"

namespace scidfs::fs {
namespace {

// The key of a year is the year; all other keys are those of the event.
const NamedSet& events_of(const Version& version) {
  return version.database()->lists().event_set();
}

// The directories events/ and its years.
class EventsView : public GroupedView {
 public:
  EventsView() : GroupedView(kEventsView) {}

  std::string_view name() const override { return "events"; }

 protected:
  const NamedSet& named(const Version& version) const override { return events_of(version); }
  CommonSetOr common(const Version& together, const WorkBudget& budget) const override {
    return share(common_events(together, budget), &CommonEvents::set);
  }
  const SetView& members() const override { return event_view(); }
  Finder finder() const override { return {.facet = "event", .groups = "By year"}; }
  void for_each(const Version& version, VisitGames visit) const override {
    const Postings& games = version.database()->lists().event_games();
    for (std::uint32_t id = 0; id < games.keys() && visit(id, games.games(id)); ++id) continue;
  }
  // Looks at the names as they are in the database, which takes less time.
  absl::StatusOr<NearestNames> nearest_members(const Version& version, const MisspelledName& wanted,
                                               const WorkBudget& budget) const override {
    const GameLists& lists = version.database()->lists();
    const std::vector<EventKey>& keys = lists.events();
    return nearest_names(
        static_cast<std::uint32_t>(keys.size()), wanted, budget,
        [&](std::uint32_t id, std::string& room) -> std::optional<std::string_view> {
          room = lists.event_text(keys[id]);
          room += "--";
          room += lists.site_text(keys[id]);
          // So the years of an event are names of their own.
          room += ' ';
          room += year_name(keys[id].year);
          return room;
        });
  }
  std::string group_name(std::uint32_t year) const override { return year_name(year); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    return parse_year(name);
  }
  std::optional<Child> find_other(std::string_view name) const override {
    if (name != "events.tsv") return std::nullopt;
    return Child{.name = std::string(name), .place = {.view = kDatabaseView, .entry = kSetEvents}};
  }
};

const EventsView& events() {
  static const EventsView kView;
  return kView;
}

class IndexEventSet : public EventSet {
 public:
  IndexEventSet(const Version& version, LocalId directory, GameList games, std::uint32_t event)
      : EventSet(version, directory, games), event_(event) {}

  std::string name() const override { return events_of(version()).of(event_).name; }
  std::string title() const override {
    const CrosstableInfo info = heading();
    const std::uint32_t year = key().year;
    return year == 0 ? fmt::format("{}, {}", info.event, info.site)
                     : fmt::format("{}, {}, {}", info.event, info.site, year);
  }
  LocalId parent() const override { return events().group_of(version(), directory().key); }

  CrosstableInfo heading() const override {
    const GameLists& lists = database().lists();
    return {.event = lists.event_text(key()), .site = lists.site_text(key())};
  }

 private:
  const EventKey& key() const { return database().lists().events()[event_]; }

  const std::uint32_t event_;
};

// Keys are those of the event set.
SetPtr bind_event(const Version& version, LocalId directory) {
  const std::optional<std::uint32_t> event = events_of(version).find_key(directory.key);
  if (!event.has_value()) return nullptr;
  const GameList games = version.database()->lists().event_games().games(*event);
  if (games.empty()) return nullptr;
  return std::make_unique<IndexEventSet>(version, directory, games, *event);
}

}  // namespace

const View& events_view() { return events(); }

const SetView& event_view() {
  static const SetView kView(kEventView, &bind_event);
  return kView;
}

}  // namespace scidfs::fs
