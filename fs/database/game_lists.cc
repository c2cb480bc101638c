#include "fs/database/game_lists.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>

#include "codec/eco.h"
#include "codec/types.h"
#include "fs/base/filename.h"
#include "fs/base/parallel.h"
#include "fs/database/stored_index.h"

namespace scidfs::fs {
namespace {

using codec::kMonthShift;
using codec::kYearShift;
using codec::scid::NameKind;
using Column = PackedIndex::Column;

constexpr unsigned kColorBits = 1;
constexpr std::size_t kKeyWords = 2;                         // of an EventKey in an index file
constexpr std::uint32_t kMonths = 1U << (20 - kMonthShift);  // of all years

}  // namespace

static_assert(Postings::kChunk % PackedIndex::kBlock == 0);

template <class KeyOf>
Postings GameLists::lists_by(Column column, std::uint32_t keys, const KeyOf& key_of) const {
  return Postings(keys, 0, index_.games(), [&](GameIndex first, GameIndex last, const auto& put) {
    index_.for_each_shown(first, last, std::array{column},
                          [&](GameIndex game, const auto& row) { put(key_of(row[0]), game); });
  });
}

std::optional<Postings> GameLists::stored_player_games(const StoredIndex& stored) const {
  const std::uint32_t players = names_[NameKind::Player].size();
  const auto ends = stored.values<std::uint32_t>(StoredPart::PlayerEnds, players);
  if (ends.size() != players) return std::nullopt;
  return Postings::of_stored(ends, stored.bytes(StoredPart::PlayerGames), kColorBits,
                             index_.games());
}

const Postings& GameLists::player_games() const {
  return player_games_.get([this] {
    if (const StoredIndex* const stored = index_.stored()) {
      if (auto found = stored_player_games(*stored)) return *std::move(found);
    }
    return Postings(names_[NameKind::Player].size(), kColorBits, index_.games(),
                    [this](GameIndex first, GameIndex last, const auto& put) {
                      index_.for_each_shown(first, last, std::array{Column::White, Column::Black},
                                            [&](GameIndex game, const auto& row) {
                                              put(row[0], game, kWhiteTag);
                                              put(row[1], game, kBlackTag);
                                            });
                    });
  });
}

GameLists::Months GameLists::make_months() const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place_of(kMonths, kNone);
  index_.for_each_shown(0, index_.games(), std::array{Column::Date},
                        [&](GameIndex, const auto& row) { place_of[row[0] >> kMonthShift] = 0; });
  Months months;
  for (std::uint32_t month = 0; month < kMonths; ++month) {
    if (place_of[month] == kNone) continue;
    place_of[month] = static_cast<std::uint32_t>(months.months.size());
    months.months.push_back(month);
  }
  months.months.shrink_to_fit();
  months.games =
      lists_by(Column::Date, static_cast<std::uint32_t>(months.months.size()),
               [&place_of](std::uint32_t date) { return place_of[date >> kMonthShift]; });
  return months;
}

GameList GameLists::month_games(std::uint32_t month) const {
  const Months& months = months_.get([this] { return make_months(); });
  const auto found = std::ranges::lower_bound(months.months, month);
  if (found == months.months.end() || *found != month) return {};
  return months.games.games(static_cast<std::uint32_t>(found - months.months.begin()));
}

const Postings& GameLists::eco_games() const {
  return eco_games_.get([this] {
    return lists_by(Column::Eco, codec::kEcoBases + 1, [](std::uint32_t code) {
      return codec::eco_base(static_cast<codec::EcoCode>(code));
    });
  });
}

const Postings& GameLists::flag_games(codec::scid::Flag flag) const {
  return flag_games_[flag].get([this, flag] {
    constexpr std::uint32_t kNoList = 1;
    return lists_by(Column::Flags, 1,
                    [flag](std::uint32_t flags) { return (flags >> flag & 1) != 0 ? 0 : kNoList; });
  });
}

GameLists::Events GameLists::make_events() const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Events events;
  const EventSites& sites = this->sites();
  absl::flat_hash_map<EventKey, std::uint32_t> index_of;
  std::vector<std::uint32_t> event_of(index_.games(), kNone);
  // Adjacent games are mostly of one event.
  EventKey last;
  std::uint32_t last_index = kNone;
  index_.for_each_shown(
      0, index_.games(), std::array{Column::Event, Column::Site, Column::Date, Column::EventDate},
      [&](GameIndex game, const auto& row) {
        const std::uint32_t date = row[3] >> kYearShift != 0 ? row[3] : row[2];
        const EventKey key{.event = row[0],
                           .site = sites.counted(row[1]),
                           .year = static_cast<std::uint16_t>(date >> kYearShift)};
        if (last_index == kNone || key != last) {
          const auto [found, is_new] =
              index_of.try_emplace(key, static_cast<std::uint32_t>(events.keys.size()));
          if (is_new) events.keys.push_back(key);
          last = key;
          last_index = found->second;
        }
        event_of[game] = last_index;
      });
  events.keys.shrink_to_fit();
  events.games = Postings(static_cast<std::uint32_t>(events.keys.size()), 0, index_.games(),
                          [&event_of](GameIndex first, GameIndex end, const auto& put) {
                            for (GameIndex game = first; game < end; ++game)
                              put(event_of[game], game);
                          });
  return events;
}

std::optional<Postings> GameLists::stored_event_games(const StoredIndex& stored) const {
  const std::size_t bytes = stored.bytes(StoredPart::EventEnds).size();
  const std::size_t events = bytes / sizeof(std::uint32_t);
  if (bytes % sizeof(std::uint32_t) != 0 ||
      stored.bytes(StoredPart::EventKeys).size() != kKeyWords * events * sizeof(std::uint64_t)) {
    return std::nullopt;
  }
  return Postings::of_stored(stored.values<std::uint32_t>(StoredPart::EventEnds, events),
                             stored.bytes(StoredPart::EventGames), 0, index_.games());
}

bool GameLists::are_in(const StoredIndex& stored) const {
  return stored_player_games(stored).has_value() && stored_event_games(stored).has_value();
}

std::optional<GameLists::Events> GameLists::stored_events() const {
  const StoredIndex* const stored = index_.stored();
  auto games = stored == nullptr ? std::nullopt : stored_event_games(*stored);
  if (!games.has_value()) return std::nullopt;
  const auto keys = stored->values<std::uint64_t>(StoredPart::EventKeys, kKeyWords * games->keys());
  Events events{.keys = {}, .games = *std::move(games)};
  events.keys.reserve(events.games.keys());
  for (std::size_t i = 0; i < keys.size(); i += kKeyWords) {
    events.keys.push_back({.event = static_cast<std::uint32_t>(keys[i]),
                           .site = static_cast<std::uint32_t>(keys[i] >> 32),
                           .year = static_cast<std::uint16_t>(keys[i + 1])});
  }
  return events;
}

const GameLists::Events& GameLists::events_and_games() const {
  return events_.get([this] {
    std::optional<Events> stored = stored_events();
    return stored.has_value() ? *std::move(stored) : make_events();
  });
}

void GameLists::store(StoredParts& parts) const {
  parts.add(StoredPart::PlayerEnds, player_games().ends());
  parts.add(StoredPart::PlayerGames, player_games().deltas());
  parts.add(StoredPart::EventEnds, event_games().ends());
  parts.add(StoredPart::EventGames, event_games().deltas());
  std::vector<std::uint64_t> keys;
  for (const EventKey& key : events()) {
    keys.push_back(key.event | std::uint64_t{key.site} << 32);
    keys.push_back(key.year);
  }
  parts.keep(StoredPart::EventKeys, std::move(keys));
  for (const auto& [first, set] : {std::pair(StoredPart::PlayerSet, &player_set()),
                                   std::pair(StoredPart::EventSet, &event_set())}) {
    const NamedSet::Arrays arrays = set->arrays();
    parts.add(first, arrays.groups);
    parts.add(part_after(first, 1), arrays.order);
    parts.add(part_after(first, 2), arrays.by_key);
    parts.add(part_after(first, 3), arrays.renamed);
  }
}

const Postings& GameLists::event_games() const { return events_and_games().games; }
const std::vector<EventKey>& GameLists::events() const { return events_and_games().keys; }

const EventSites& GameLists::sites() const {
  return sites_.get([this] { return EventSites(names_[NameKind::Site]); });
}

EventKey GameLists::event_key(const codec::scid::GameEntry& entry) const {
  const codec::Date& date = entry.event_date.year != 0 ? entry.event_date : entry.date;
  return {.event = entry.event, .site = sites().counted(entry.site), .year = date.year};
}

std::optional<std::uint32_t> GameLists::event_of(const codec::scid::GameEntry& entry) const {
  const EventKey key = event_key(entry);
  if (const NamedSet::Group* const year = event_set().find_group(key.year); year != nullptr) {
    const std::string name = event_directory_name(event_text(key), site_text(key));
    const std::optional<NamedSet::Listed> found = event_set().find(*year, name);
    if (found.has_value() && events()[found->id] == key) return found->id;
  }
  // Its name is that of another event, too, or there is no such event.
  const auto found = std::ranges::find(events(), key);
  if (found == events().end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - events().begin());
}

NamedSet::Naming GameLists::player_naming() const {
  const codec::scid::NameTable& players = names_[NameKind::Player];
  return naming_by_shard([&players](std::uint32_t id) { return players.text(id); });
}

NamedSet::Naming GameLists::event_naming() const {
  return {.append_name =
              [this](std::uint32_t id, std::string& out) {
                const EventKey& key = events()[id];
                out += event_directory_name(event_text(key), site_text(key));
              },
          .group_of = [this](std::uint32_t id, std::string_view) -> std::uint32_t {
            return events()[id].year;
          }};
}

NamedSet GameLists::make_player_set() const {
  const std::uint32_t players = names_[NameKind::Player].size();
  if (auto found = stored_set(StoredPart::PlayerSet, players, player_naming())) {
    return *std::move(found);
  }
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < players; ++id) {
    if (index_.is_shown_player(id)) ids.push_back(id);
  }
  return NamedSet(ids, player_naming());
}

NamedSet GameLists::make_event_set() const {
  const auto count = static_cast<std::uint32_t>(events().size());
  if (auto found = stored_set(StoredPart::EventSet, count, event_naming())) {
    return *std::move(found);
  }
  std::vector<std::uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0U);
  return NamedSet(ids, event_naming());
}

std::optional<NamedSet> GameLists::stored_set(StoredPart first, std::uint32_t end_of_ids,
                                              NamedSet::Naming naming) const {
  const StoredIndex* const stored = index_.stored();
  if (stored == nullptr) return std::nullopt;
  const NamedSet::Arrays arrays = {.groups = stored->all<NamedSet::Group>(first),
                                   .order = stored->all<std::uint32_t>(part_after(first, 1)),
                                   .by_key = stored->all<NamedSet::Keyed>(part_after(first, 2)),
                                   .renamed = stored->all<std::uint32_t>(part_after(first, 3))};
  return NamedSet::of_arrays(arrays, end_of_ids, std::move(naming));
}

const NamedSet& GameLists::player_set() const {
  return player_set_.get([this] { return make_player_set(); });
}

const NamedSet& GameLists::event_set() const {
  return event_set_.get([this] { return make_event_set(); });
}

void GameLists::warm_up() const {
  constexpr std::size_t kTasks = 3;
  constexpr GameIndex kWorthThreads = 20000;
  run_parallel(kTasks, index_.games() < kWorthThreads ? 1 : thread_count(0, kTasks),
               [this](std::size_t task) {
                 try {
                   if (task == 0) player_set();
                   if (task == 1) player_games();
                   if (task == 2) event_set();
                 } catch (const std::bad_alloc&) {
                   // The next caller tries again, and gets the exception.
                 }
               });
}

std::size_t GameLists::memory() const {
  std::size_t bytes = player_games_.memory() + eco_games_.memory() + months_.memory() +
                      events_.memory() + sites_.memory() + player_set_.memory() +
                      event_set_.memory();
  for (const Derived<Postings>& games : flag_games_) bytes += games.memory();
  return bytes;
}

}  // namespace scidfs::fs
