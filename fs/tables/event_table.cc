#include "fs/tables/event_table.h"

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "fs/base/tsv.h"
#include "fs/content/run_tasks.h"
#include "fs/content/work_cost.h"
#include "fs/crosstable/event_facts.h"
#include "fs/database/group_names.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// An event, and its games in the set.
struct Event {
  std::string_view name, site;
  GameList games;
};

struct EventRow {
  std::string_view name, site;
  std::size_t games = 0;
  EventFacts facts{};
  bool has_facts = false;  // there are not too many games
  std::string path{};
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
    TsvColumn{"path", [](const EventRow& row) -> std::string_view { return row.path; }},
};

// Makes the lines of `count` events on several threads. `event_at` and `path_of` are called by any
// of them.
absl::StatusOr<std::string> table_of(std::size_t count, const EventNames& names,
                                     const WorkBudget& budget,
                                     absl::FunctionRef<Event(std::size_t event)> event_at,
                                     absl::FunctionRef<std::string(std::size_t event)> path_of) {
  constexpr std::size_t kEventsOfTask = 64;
  std::vector<EventRow> rows(count);
  const std::size_t tasks = (count + kEventsOfTask - 1) / kEventsOfTask;
  absl::Status status =
      run_tasks(tasks, workers_for(budget, tasks), budget, [&](std::size_t, std::size_t task) {
        const std::size_t end = std::min(count, (task + 1) * kEventsOfTask);
        for (std::size_t i = task * kEventsOfTask; i < end; ++i) {
          const Event event = event_at(i);
          const auto played = event_games(names, event.games, budget);
          if (!played.ok()) return played.status();
          rows[i] = {.name = event.name, .site = event.site, .path = path_of(i)};
          rows[i].games = event.games.count(std::numeric_limits<std::size_t>::max());
          rows[i].has_facts = played->has_value();
          if (played->has_value()) rows[i].facts = event_facts((*played)->games);
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  std::ranges::sort(rows, {}, [](const EventRow& row) {
    const codec::Date& first = row.facts.dates.first;
    return std::tuple(first.empty(), first, row.name, row.site, std::string_view(row.path));
  });
  std::string text = kEventColumns.header();
  for (const EventRow& row : rows) kEventColumns.append_row(row, text);
  return text;
}

// The games of a set by event.
struct GroupedGames {
  struct Group {
    codec::scid::GameEntry first;  // of the event's first game in the set
    DeltaList games;
  };
  std::vector<Group> groups;
};

absl::StatusOr<GroupedGames> by_event(const GameSet& set, const WorkBudget& budget) {
  const absl::StatusOr<GameScan> scan = GameScan::over(set.list(), kEventEntriesOfGame, budget);
  if (!scan.ok()) return scan.status();
  GroupedGames grouped;
  absl::flat_hash_map<EventKey, std::size_t> place_of;
  absl::Status status =
      scan->visit_all(1, budget, [&](std::size_t, std::size_t, std::span<const GameIndex> games) {
        for (const GameIndex game : games) {
          const codec::scid::GameEntry entry = set.database()->entry(game);
          const auto [found, is_new] =
              place_of.try_emplace(EventKey::of(entry), grouped.groups.size());
          if (is_new) grouped.groups.push_back({.first = entry, .games = {}});
          grouped.groups[found->second].games.add(game);
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return grouped;
}

}  // namespace

absl::StatusOr<std::string> event_table(const GameSet& set, const WorkBudget& budget) {
  const absl::StatusOr<GroupedGames> grouped = by_event(set, budget);
  if (!grouped.ok()) return grouped.status();
  const Database& database = *set.database();
  const std::vector<GroupedGames::Group>& groups = grouped->groups;
  return table_of(
      groups.size(), EventNames(database), budget,
      [&](std::size_t i) {
        return Event{.name = database.names()[NameKind::Event].text(groups[i].first.event),
                     .site = database.names()[NameKind::Site].text(groups[i].first.site),
                     .games = GameList::of(groups[i].games.bytes())};
      },
      [&](std::size_t i) {
        std::string path;
        append_event_path(database, groups[i].first, path);
        return path;
      });
}

absl::StatusOr<std::string> tournament_table(const EventNames& names, const WorkBudget& budget) {
  const Tournaments& all = *names.database().tournaments();
  const NamedSet& set = all.set();
  std::vector<std::uint32_t> ids;
  for (const NamedSet::Group& group : set.groups()) {
    for (std::uint32_t i = group.begin; i < group.end; ++i) ids.push_back(set.at(group, i).id);
  }
  return table_of(
      ids.size(), names, budget,
      [&](std::size_t i) {
        return Event{
            .name = all.event(ids[i]), .site = all.site(ids[i]), .games = all.games(ids[i])};
      },
      [&](std::size_t i) {
        std::string path = "tournaments/" + year_name(all.year(ids[i])) + '/';
        set.append_listed_name(ids[i], path);
        return path;
      });
}

}  // namespace scidfs::fs
