// Which people the players of a database are, by the spelling file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/scid/names.h"
#include "fs/database/game_list.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// Dates are those of PackedIndex::pack_date(): a game outside somebody's lifetime is not his.
// Persons are numbers of the spelling file. Immutable; any number of threads may ask.
class People {
 public:
  static constexpr std::uint32_t kNobody = Spelling::kNobody;

  // What they are made from; it must outlive them.
  struct Source {
    const PackedIndex& index;
    const codec::scid::NameTable& players;
    GameIndex games = 0;
    bool leaves_out_deleted = false;  // deleted games are not shown, and there are some
  };
  People() = default;
  // Looks up all names and goes through the index, on all processors where that is worth it.
  People(const Source& source, std::shared_ptr<const Spelling> spelling);

  const Spelling& spelling() const { return *spelling_; }

  // Who a player was in a game of that date. Any id may be asked for.
  std::uint32_t person_of(std::uint32_t player, std::uint32_t date) const {
    const std::uint32_t place = place_of(player, date);
    return place == kNobody ? kNobody : persons_[place];
  }
  // The same as one number for everybody, the same for all spellings of a person: players whom the
  // file does not know, or not for sure, are their own ids; ids that the names lack are all the
  // same. Below identities().
  std::uint32_t identity_of(std::uint32_t player, std::uint32_t date) const {
    const std::uint32_t place = place_of(player, date);
    return place == kNobody ? std::min(player, players()) : players() + 1 + place;
  }
  std::uint32_t identities() const {
    return players() + 1 + static_cast<std::uint32_t>(persons_.size());
  }
  // The person of an identity; kNobody if it is that of a spelling, which is the id of a player
  // then.
  std::uint32_t person_at(std::uint32_t identity) const {
    return identity <= players() ? kNobody : persons_[identity - players() - 1];
  }

  // All persons whom a player's name stands for, ascending; the games of some may all lie outside
  // their lifetimes.
  std::span<const std::uint32_t> persons() const { return persons_; }
  // The players who are a person in some games or all, ascending; empty for a stranger.
  std::span<const std::uint32_t> spellings(std::uint32_t person) const;
  // The shown games of a person, of one colour (tags of GameLists) or both.
  GameList games(std::uint32_t person, std::optional<unsigned> tag = std::nullopt) const;
  // The persons who have shown games, by the shards of their correct names.
  const NamedSet& set() const { return set_; }

  // Bytes of memory that they cost.
  std::size_t memory() const;

 private:
  // When a person lived, as far as known: the first and the last date that a game of his can have.
  struct Lifetime {
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    // A game whose year is unknown may be of any time.
    bool contains(std::uint32_t date) const {
      constexpr unsigned kYearShift = 9;
      return date >> kYearShift == 0 || (date >= first && date <= last);
    }
  };

  std::uint32_t players() const { return static_cast<std::uint32_t>(place_of_.size()); }
  // Where the person stands in persons().
  std::uint32_t place_of(std::uint32_t player, std::uint32_t date) const {
    if (player >= place_of_.size()) return kNobody;
    const std::uint32_t place = place_of_[player];
    if (place < lifetimes_.size()) return lifetimes_[place].contains(date) ? place : kNobody;
    return place == kNobody ? kNobody : place_of_namesake(place - kNamesakes, date);
  }
  std::uint32_t place_of_namesake(std::uint32_t group, std::uint32_t date) const;
  std::optional<std::uint32_t> find(std::uint32_t person) const;
  using Found = Spelling::Found;
  static bool is_somebody(const Found& found) {
    return found.kind == Found::Kind::Person || found.kind == Found::Kind::Namesakes;
  }
  std::vector<Found> look_up(const codec::scid::NameTable& players) const;
  void list_spellings(std::span<const Found> found);
  void list_games(const Source& source);

  // Of a player whose name several people have to the letter: a group of them comes after this.
  static constexpr std::uint32_t kNamesakes = 1U << 31;

  std::shared_ptr<const Spelling> spelling_;
  std::vector<std::uint32_t> place_of_;                // by player
  std::vector<std::uint32_t> persons_;                 // ascending
  std::vector<Lifetime> lifetimes_;                    // by place
  std::vector<std::vector<std::uint32_t>> namesakes_;  // places
  std::vector<std::uint32_t> spellings_;               // players, by place
  std::vector<std::uint32_t> spelling_ends_;
  Postings games_;  // by place, tagged by colour
  NamedSet set_;
};

}  // namespace scidfs::fs
