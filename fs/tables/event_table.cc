#include "fs/tables/event_table.h"

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/memory_claim.h"
#include "fs/content/run_tasks.h"
#include "fs/content/sort.h"
#include "fs/content/step_watch.h"
#include "fs/content/work_cost.h"
#include "fs/crosstable/event_facts.h"
#include "fs/database/group_names.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/event_games.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

// An event of a set, and its games there.
struct Event {
  std::uint32_t common = 0;  // its common id, if the set is over several databases
  std::string_view name, site;
  std::string path;
  std::vector<GamesOfPart> games;
};

struct EventRow {
  std::string_view name, site;
  std::size_t games = 0;
  EventFacts facts{};
  bool has_facts = false;  // there are not too many games
  std::string_view path;
};

std::string date_field(codec::Date date) {
  return date.empty() ? std::string() : codec::to_string(date);
}

std::string_view form_of(const EventRow& row) {
  switch (row.facts.layout) {
    case CrosstableLayout::Match:
      return "match";
    case CrosstableLayout::RoundRobin:
      return "round robin";
    case CrosstableLayout::Knockout:
      return "knockout";
    case CrosstableLayout::Swiss:
      return "Swiss";
    case CrosstableLayout::GameList:
    case CrosstableLayout::StandingsOnly:
      return {};
  }
  return {};
}

constexpr TsvColumns kEventColumns{
    TsvColumn{"event", [](const EventRow& row) { return known_name(row.name); }},
    TsvColumn{"site", [](const EventRow& row) { return known_name(row.site); }},
    TsvColumn{"first_date", [](const EventRow& row) { return date_field(row.facts.dates.first); }},
    TsvColumn{"last_date", [](const EventRow& row) { return date_field(row.facts.dates.last); }},
    TsvColumn{"games", [](const EventRow& row) { return row.games; }},
    TsvColumn{"players",
              [](const EventRow& row) {
                return row.has_facts ? std::optional(row.facts.players) : std::nullopt;
              }},
    TsvColumn{"average_elo", [](const EventRow& row) { return known(row.facts.ratings.average); }},
    TsvColumn{"category",
              [](const EventRow& row) { return known(row.facts.ratings.fide_category); }},
    TsvColumn{"winner",
              [](const EventRow& row) {
                return row.facts.winner.has_value() ? row.facts.winner->name : std::string_view();
              }},
    TsvColumn{"points",
              [](const EventRow& row) {
                return row.facts.winner.has_value()
                           ? std::optional(Tenths{std::uint64_t{5} * row.facts.winner->points})
                           : std::nullopt;
              }},
    TsvColumn{"form", form_of},
    TsvColumn{"path", [](const EventRow& row) { return row.path; }},
};

constexpr std::size_t kEventsOfTask = 64;

// Calls visit(event) for each of `count` events, on several threads.
absl::Status for_each_event(std::size_t count, const WorkBudget& budget,
                            absl::FunctionRef<absl::Status(std::size_t event)> visit) {
  const std::size_t tasks = (count + kEventsOfTask - 1) / kEventsOfTask;
  return run_tasks(tasks, workers_for(budget, tasks), budget, [&](std::size_t, std::size_t task) {
    const std::size_t end = std::min(count, (task + 1) * kEventsOfTask);
    for (std::size_t i = task * kEventsOfTask; i < end; ++i) {
      RETURN_IF_ERROR(visit(i));
    }
    return absl::OkStatus();
  });
}

// The events of a set. Those of several databases that have the same common id are one.
class Events {
 public:
  Events(bool are_common, const WorkBudget& budget) : are_common_(are_common), memory_(budget) {}

  // Adds the events of a part: of the only one, unless they have common ids. `event_at` is called
  // by any thread. Errors: Cancelled.
  absl::Status add(std::size_t count, const WorkBudget& budget,
                   absl::FunctionRef<Event(std::size_t event)> event_at) {
    // An event, its path, and its row.
    constexpr std::size_t kOfEvent = 2 * (sizeof(Event) + sizeof(EventRow)) + 128;
    RETURN_IF_ERROR(memory_.add(count * kOfEvent));
    std::vector<Event> of_part(count);
    RETURN_IF_ERROR(for_each_event(count, budget, [&](std::size_t i) {
      of_part[i] = event_at(i);
      return absl::OkStatus();
    }));
    if (!are_common_) {
      events_ = std::move(of_part);
      return absl::OkStatus();
    }
    for (Event& event : of_part) {
      const auto [place, is_new] = place_of_.try_emplace(event.common, events_.size());
      if (is_new) {
        events_.push_back(std::move(event));
      } else {
        std::ranges::move(event.games, std::back_inserter(events_[place->second].games));
      }
    }
    return absl::OkStatus();
  }

  // Returns the table. Errors: those of event_games().
  absl::StatusOr<std::string> table(const Identities& who, const WorkBudget& budget) const {
    std::vector<EventRow> rows(events_.size());
    RETURN_IF_ERROR(for_each_event(rows.size(), budget, [&](std::size_t i) {
      const Event& event = events_[i];
      ASSIGN_OR_RETURN(const auto played, event_games(who, event.games, budget));
      rows[i] = {.name = event.name, .site = event.site, .path = event.path};
      for (const GamesOfPart& part : event.games) {
        rows[i].games += part.games.count(std::numeric_limits<std::size_t>::max());
      }
      rows[i].has_facts = played.has_value();
      if (played.has_value()) rows[i].facts = event_facts(played->games);
      return absl::OkStatus();
    }));
    const auto key = [](const EventRow& row) {
      const codec::Date& first = row.facts.dates.first;
      return std::tuple(first.empty(), first, row.name, row.site, row.path);
    };
    RETURN_IF_ERROR(
        sort_while_wanted(std::span(rows), budget,
                          [&](const EventRow& a, const EventRow& b) { return key(a) < key(b); }));
    std::string text = kEventColumns.header();
    StepWatch watch(budget, kEventsOfTask);
    for (const EventRow& row : rows) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      kEventColumns.append_row(row, text);
    }
    return text;
  }

 private:
  const bool are_common_;
  MemoryClaim memory_;
  std::vector<Event> events_;
  absl::flat_hash_map<std::uint32_t, std::size_t> place_of_;  // by common id
};

// The games of a part by event.
struct GroupedGames {
  struct Group {
    codec::scid::GameEntry first;  // of the event's first game in the part
    DeltaList games;
  };
  std::vector<Group> groups;
};

// Takes the memory of the result for `memory`.
absl::StatusOr<GroupedGames> by_event(const DatabaseGames& set, const WorkBudget& budget,
                                      MemoryClaim& memory) {
  constexpr std::size_t kOfGame = 16;  // in the list of its event
  ASSIGN_OR_RETURN(const GameScan scan, GameScan::over(set.list(), kEventEntriesOfGame, budget));
  RETURN_IF_ERROR(memory.add(kOfGame * scan.games()));
  GroupedGames grouped;
  const GameLists& lists = set.database()->lists();
  absl::flat_hash_map<EventKey, std::size_t> place_of;
  RETURN_IF_ERROR(
      scan.visit_all(1, budget, [&](std::size_t, std::size_t, std::span<const GameIndex> games) {
        for (const GameIndex game : games) {
          const codec::scid::GameEntry entry = set.database()->entry(game);
          const auto [found, is_new] =
              place_of.try_emplace(lists.event_key(entry), grouped.groups.size());
          if (is_new) grouped.groups.push_back({.first = entry, .games = {}});
          grouped.groups[found->second].games.add(game);
        }
        return absl::OkStatus();
      }));
  return grouped;
}

}  // namespace

absl::StatusOr<std::string> event_table(const GameSet& parts, const CommonEvents* common,
                                        const WorkBudget& budget) {
  assert(parts.size() == 1 || parts.players() != nullptr);
  std::vector<GroupedGames> games;  // by part
  Events events(common != nullptr, budget);
  MemoryClaim memory(budget);
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    ASSIGN_OR_RETURN(GroupedGames of_part, by_event(parts[part], budget, memory));
    const Database& database = *parts[part].database();
    const std::vector<GroupedGames::Group>& groups = games.emplace_back(std::move(of_part)).groups;
    RETURN_IF_ERROR(events.add(groups.size(), budget, [&](std::size_t i) {
      const EventKey key = database.lists().event_key(groups[i].first);
      Event event{.name = database.lists().event_text(key),
                  .site = database.lists().site_text(key),
                  .path = {},
                  .games = {{.part = part, .games = GameList::of(groups[i].games.bytes())}}};
      if (common == nullptr) {
        append_event_path(database, groups[i].first, event.path);
      } else {
        event.common = common->id_of(part, *database.lists().event_of(groups[i].first));
        append_event_path(*common, event.common, key.year, event.path);
      }
      return event;
    }));
  }
  return events.table(Identities(parts, Identities::Of::Spellings), budget);
}

absl::StatusOr<std::string> tournament_table(const CommonPlayersPtr& players,
                                             const CommonEvents* common, const WorkBudget& budget) {
  assert(std::ranges::all_of(players->databases(), [](const DatabasePtr& database) {
    return database->people() != nullptr && database->tournaments() != nullptr;
  }));
  Events events(common != nullptr, budget);
  for (std::uint32_t part = 0; part < players->parts(); ++part) {
    const Tournaments& all = *players->databases()[part]->tournaments();
    const NamedSet& set = all.set();
    std::vector<std::uint32_t> ids;
    for (const NamedSet::Group& group : set.groups()) {
      for (std::uint32_t i = group.begin; i < group.end; ++i) ids.push_back(set.id_at(group, i));
    }
    RETURN_IF_ERROR(events.add(ids.size(), budget, [&](std::size_t i) {
      Event event{.name = all.event(ids[i]),
                  .site = all.site(ids[i]),
                  .path = fmt::format("tournaments/{}/", year_name(all.year(ids[i]))),
                  .games = {{.part = part, .games = all.games(ids[i])}}};
      if (common == nullptr) {
        set.append_listed_name(ids[i], event.path);
      } else {
        event.common = common->id_of(part, ids[i]);
        common->set().append_listed_name(event.common, event.path);
      }
      return event;
    }));
  }
  return events.table(Identities(players, Identities::Of::Persons), budget);
}

}  // namespace scidfs::fs
