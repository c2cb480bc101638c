// The lists of games of a database by player, event, month, code and flag.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "fs/database/derived.h"
#include "fs/database/event_sites.h"
#include "fs/database/game_list.h"
#include "fs/database/loaded_index.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"

namespace scidfs::fs {

enum class StoredPart : std::uint64_t;

// An event: the games at one site (event_sites.h) under one name in one year.
struct EventKey {
  std::uint32_t event = 0;
  std::uint32_t site = 0;
  std::uint16_t year = 0;  // 0: unknown

  friend bool operator==(const EventKey&, const EventKey&) = default;
  template <class Hash>
  friend Hash AbslHashValue(Hash hash, const EventKey& key) {
    return Hash::combine(std::move(hash), key.event, key.site, key.year);
  }
};

// The lists have only shown games. Each list is made from the index on first use, and kept. Any
// number of threads may use this.
class GameLists {
 public:
  // Both must outlive this.
  GameLists(const LoadedIndex& index, const codec::scid::Names& names)
      : index_(index), names_(names) {}

  const Postings& player_games() const;  // by player id, tagged by color
  // Returns the same; null if it has not been made yet.
  const Postings* made_player_games() const { return player_games_.made(); }
  const Postings& event_games() const;              // by index into events()
  GameList month_games(std::uint32_t month) const;  // year * 16 + month
  const Postings& eco_games() const;  // by ECO base; the last list has the games without one
  const Postings& flag_games(codec::scid::Flag flag) const;  // one list, under key 0
  const std::vector<EventKey>& events() const;
  // Returns the key of a game's event: its year is that of the event's date, if that is known.
  EventKey event_key(const codec::scid::GameEntry& entry) const;
  // Return the name and the site of an event.
  std::string_view event_text(const EventKey& key) const {
    return names_[codec::scid::NameKind::Event].text(key.event);
  }
  std::string_view site_text(const EventKey& key) const {
    return event_site(names_[codec::scid::NameKind::Site].text(key.site));
  }
  // Returns the event of a game, as an index into events(); nothing if no shown game is of it.
  std::optional<std::uint32_t> event_of(const codec::scid::GameEntry& entry) const;
  // Return players by shard, events by year.
  const NamedSet& player_set() const;
  const NamedSet& event_set() const;

  static constexpr unsigned kWhiteTag = 0;
  static constexpr unsigned kBlackTag = 1;

  // Adds lists to an index file, which it makes if need be.
  void store(StoredParts& parts) const;
  // Returns whether an index file has all lists that store() adds, of this database.
  bool are_in(const StoredIndex& stored) const;

  // Makes the lists that users need first: the lists and directories of players and events.
  void warm_up() const;

  // Returns the bytes of memory of the lists that have been made.
  std::size_t memory() const;

 private:
  struct Events {
    std::vector<EventKey> keys;
    Postings games;

    std::size_t memory() const { return keys.capacity() * sizeof(keys[0]) + games.memory(); }
  };
  const Events& events_and_games() const;
  const EventSites& sites() const;
  Events make_events() const;
  std::optional<Postings> stored_player_games(const StoredIndex& stored) const;
  std::optional<Postings> stored_event_games(const StoredIndex& stored) const;
  std::optional<Events> stored_events() const;
  NamedSet::Naming player_naming() const;
  NamedSet::Naming event_naming() const;
  NamedSet make_player_set() const;
  NamedSet make_event_set() const;
  // Returns the set of an index file whose first section is this; nothing if there is none.
  std::optional<NamedSet> stored_set(StoredPart first, std::uint32_t end_of_ids,
                                     NamedSet::Naming naming) const;
  template <class KeyOf>
  Postings lists_by(PackedIndex::Column column, std::uint32_t keys, const KeyOf& key_of) const;

  const LoadedIndex& index_;
  const codec::scid::Names& names_;
  // The months that have games, ascending, and their games.
  struct Months {
    std::vector<std::uint32_t> months;
    Postings games;

    std::size_t memory() const { return months.capacity() * sizeof(months[0]) + games.memory(); }
  };
  Months make_months() const;
  Derived<Postings> player_games_, eco_games_;
  Derived<Months> months_;
  Derived<EventSites> sites_;
  Derived<Events> events_;
  std::array<Derived<Postings>, codec::scid::kFlagCount> flag_games_;
  Derived<NamedSet> player_set_, event_set_;
};

}  // namespace scidfs::fs
