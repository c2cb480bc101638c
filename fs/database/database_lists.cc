// What is derived from the index of a database when it is first wanted.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>

#include "codec/eco.h"
#include "fs/base/parallel.h"
#include "fs/database/database.h"
#include "fs/database/filename.h"
#include "fs/database/group_names.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using Column = PackedIndex::Column;

constexpr unsigned kColourBits = 1;

// Parts of PackedIndex::pack_date().
constexpr unsigned kMonthShift = 5;
constexpr unsigned kYearShift = 9;
constexpr std::uint32_t kMonths = 1U << (20 - kMonthShift);  // of all years

}  // namespace

template <std::size_t kCount, class Visit>
void Database::for_each_shown(const std::array<Column, kCount>& columns, const Visit& visit) const {
  const bool all = options_.show_deleted || deleted_.size() == 0;
  PackedIndex::Values flags{};
  std::array<PackedIndex::Values, kCount> values{};
  std::array<std::uint32_t, kCount> row;
  for (std::size_t first = 0; first < games(); first += PackedIndex::kBlock) {
    const std::size_t block = first / PackedIndex::kBlock;
    if (!all) index_.values(block, Column::Flags, flags);
    for (std::size_t i = 0; i < kCount; ++i) index_.values(block, columns[i], values[i]);
    const std::size_t count = std::min<std::size_t>(PackedIndex::kBlock, games() - first);
    for (std::size_t game = 0; game < count; ++game) {
      if (!all && (flags[game] >> codec::scid::kFlagDeleted & 1) != 0) continue;
      for (std::size_t i = 0; i < kCount; ++i) row[i] = values[i][game];
      visit(static_cast<GameIndex>(first + game), row);
    }
  }
}

template <class KeyOf>
Postings Database::lists_by(Column column, std::uint32_t keys, const KeyOf& key_of) const {
  return Postings(keys, 0, [&](const auto& put) {
    for_each_shown(std::array{column},
                   [&](GameIndex game, const auto& row) { put(key_of(row[0]), game); });
  });
}

const Postings& Database::player_games() const {
  std::call_once(player_games_.once, [this] {
    player_games_.value =
        Postings(names_[NameKind::Player].size(), kColourBits, [this](const auto& put) {
          for_each_shown(std::array{Column::White, Column::Black},
                         [&](GameIndex game, const auto& row) {
                           put(row[0], game, kWhiteTag);
                           put(row[1], game, kBlackTag);
                         });
        });
  });
  return player_games_.value;
}

const Postings& Database::month_games() const {
  std::call_once(month_games_.once, [this] {
    month_games_.value =
        lists_by(Column::Date, kMonths, [](std::uint32_t date) { return date >> kMonthShift; });
  });
  return month_games_.value;
}

const Postings& Database::eco_games() const {
  std::call_once(eco_games_.once, [this] {
    eco_games_.value = lists_by(Column::Eco, codec::kEcoBases + 1, [](std::uint32_t code) {
      return codec::eco_base(static_cast<codec::EcoCode>(code));
    });
  });
  return eco_games_.value;
}

const Postings& Database::flag_games(codec::scid::Flag flag) const {
  const Lazy<Postings>& lazy = flag_games_[flag];
  std::call_once(lazy.once, [this, &lazy, flag] {
    constexpr std::uint32_t kNoList = 1;
    lazy.value = lists_by(Column::Flags, 1, [flag](std::uint32_t flags) {
      return (flags >> flag & 1) != 0 ? 0 : kNoList;
    });
  });
  return lazy.value;
}

Database::Events Database::make_events() const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Events events;
  absl::flat_hash_map<EventKey, std::uint32_t> index_of;
  std::vector<std::uint32_t> event_of(games(), kNone);
  // Neighbouring games are mostly of one event.
  EventKey last;
  std::uint32_t last_index = kNone;
  for_each_shown(std::array{Column::Event, Column::Site, Column::Date, Column::EventDate},
                 [&](GameIndex game, const auto& row) {
                   const std::uint32_t date = row[3] >> kYearShift != 0 ? row[3] : row[2];
                   const EventKey key{.event = row[0],
                                      .site = row[1],
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
  events.games = Postings(static_cast<std::uint32_t>(events.keys.size()), 0, [&](const auto& put) {
    for (GameIndex game = 0; game < games(); ++game) put(event_of[game], game);
  });
  return events;
}

const Database::Events& Database::events_and_games() const {
  std::call_once(events_.once, [this] { events_.value = make_events(); });
  return events_.value;
}

const Postings& Database::event_games() const { return events_and_games().games; }
const std::vector<EventKey>& Database::events() const { return events_and_games().keys; }

const NamedSet& Database::player_set() const {
  std::call_once(player_set_.once, [this] {
    const codec::scid::NameTable& players = names_[NameKind::Player];
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < players.size(); ++id) {
      if (is_shown_player_[id] != 0) ids.push_back(id);
    }
    player_set_.value = NamedSet(
        ids,
        [&players](std::uint32_t id, std::string& out) { append_escaped(players.text(id), out); },
        [](std::uint32_t, std::string_view name) { return shard_key(shard_of(name)); });
  });
  return player_set_.value;
}

const NamedSet& Database::event_set() const {
  std::call_once(event_set_.once, [this] {
    std::vector<std::uint32_t> ids(events().size());
    std::iota(ids.begin(), ids.end(), 0U);
    event_set_.value = NamedSet(
        ids,
        [this](std::uint32_t id, std::string& out) {
          const EventKey& key = events()[id];
          out += event_directory_name(names_[NameKind::Event].text(key.event),
                                      names_[NameKind::Site].text(key.site));
        },
        [this](std::uint32_t id, std::string_view) -> std::uint32_t { return events()[id].year; });
  });
  return event_set_.value;
}

void Database::warm_up() const {
  constexpr std::size_t kTasks = 3;
  constexpr GameIndex kWorthThreads = 20000;
  run_parallel(kTasks, games() < kWorthThreads ? 1 : thread_count(0, kTasks),
               [this](std::size_t task) {
                 try {
                   if (task == 0) player_set();
                   if (task == 1) player_games();
                   if (task == 2) event_set();
                 } catch (const std::bad_alloc&) {
                   // Whoever wants it will try again, and hear of it.
                 }
               });
}

}  // namespace scidfs::fs
