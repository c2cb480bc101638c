// Which games belong to whom: the lists of a database by player, event, month, code and flag.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "fs/base/lazy.h"
#include "fs/database/game_list.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"
#include "fs/database/shown_games.h"

namespace scidfs::fs {

// The games of an event: what is played at one site under one name in one year.
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

// Only shown games are in the lists. Each is made from the index when it is first wanted, and kept.
// Any number of threads may ask.
class GameLists {
 public:
  // What they are made from.
  struct Source {
    const PackedIndex& index;
    const codec::scid::Names& names;
    GameIndex games = 0;
    bool leaves_out_deleted = false;  // deleted games are not shown, and there are some
  };
  // The source must outlive them. `is_shown_player`: by id, whether the player has a shown game.
  GameLists(const Source& source, std::vector<std::uint8_t> is_shown_player)
      : source_(source), is_shown_player_(std::move(is_shown_player)) {}

  const Postings& player_games() const;  // by player id, tagged by colour
  // The same; null as long as nobody has wanted it.
  const Postings* made_player_games() const { return player_games_.made(); }
  const Postings& event_games() const;              // by index into events()
  GameList month_games(std::uint32_t month) const;  // year * 16 + month
  const Postings& eco_games() const;  // by ECO base; the last list is of those without
  const Postings& flag_games(codec::scid::Flag flag) const;  // one list, under key 0
  const std::vector<EventKey>& events() const;
  // Players by shard, events by year.
  const NamedSet& player_set() const;
  const NamedSet& event_set() const;

  // Whether a player is in player_set(): he has a shown game. Any id may be asked for.
  bool is_shown_player(std::uint32_t id) const {
    return id < is_shown_player_.size() && is_shown_player_[id] != 0;
  }

  static constexpr unsigned kWhiteTag = 0;
  static constexpr unsigned kBlackTag = 1;

  // Makes what most visitors want first: the lists and directories of players and events.
  void warm_up() const;

  // Bytes of memory that those cost which have been made.
  std::size_t memory() const;

 private:
  struct Events {
    std::vector<EventKey> keys;
    Postings games;
  };
  const Events& events_and_games() const;
  Events make_events() const;
  NamedSet make_player_set() const;
  NamedSet make_event_set() const;
  template <std::size_t kCount, class Visit>
  void for_each_shown(GameIndex first, GameIndex last,
                      const std::array<PackedIndex::Column, kCount>& columns,
                      const Visit& visit) const {
    fs::for_each_shown(source_.index, source_.leaves_out_deleted, first, last, columns, visit);
  }
  template <class KeyOf>
  Postings lists_by(PackedIndex::Column column, std::uint32_t keys, const KeyOf& key_of) const;

  const Source source_;
  const std::vector<std::uint8_t> is_shown_player_;
  // Those that have games, ascending, and their games.
  struct Months {
    std::vector<std::uint32_t> months;
    Postings games;
  };
  Months make_months() const;
  Lazy<Postings> player_games_, eco_games_;
  Lazy<Months> months_;
  Lazy<Events> events_;
  std::array<Lazy<Postings>, codec::scid::kFlagCount> flag_games_;
  Lazy<NamedSet> player_set_, event_set_;
};

}  // namespace scidfs::fs
