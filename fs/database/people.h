// Which people the players of a database are, by the spelling file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/scid/names.h"
#include "codec/types.h"
#include "fs/database/game_list.h"
#include "fs/database/loaded_index.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// The people of a database. Dates are those of codec::pack_date(): a game outside a person's
// lifetime is not theirs. Persons are numbers of the spelling file. Immutable; any number of
// threads may use it.
class People {
 public:
  static constexpr std::uint32_t kNobody = Spelling::kNobody;

  // Looks up all names and goes through the index, on all processors where that pays.
  People(const LoadedIndex& index, const codec::scid::NameTable& players,
         std::shared_ptr<const Spelling> spelling);

  const Spelling& spelling() const { return *spelling_; }

  // Returns the person of a player in a game of that date. Accepts any id.
  std::uint32_t person_of(std::uint32_t player, std::uint32_t date) const {
    const std::uint32_t place = place_of(player, date);
    return place == kNobody ? kNobody : persons_[place];
  }
  // Returns one number for each player or person, the same for all spellings of a person. Players
  // whom the file does not know, or not certainly, have their own ids. All ids that the names lack
  // have the same number. Less than identities().
  std::uint32_t identity_of(std::uint32_t player, std::uint32_t date) const {
    const std::uint32_t place = place_of(player, date);
    return place == kNobody ? std::min(player, players()) : players() + 1 + place;
  }
  std::uint32_t identities() const {
    return players() + 1 + static_cast<std::uint32_t>(persons_.size());
  }
  // Returns the person of an identity; kNobody if the identity is that of a spelling, which is then
  // the id of a player.
  std::uint32_t person_at(std::uint32_t identity) const {
    return identity <= players() ? kNobody : persons_[identity - players() - 1];
  }

  // Returns all persons whom a player's name means, ascending. All games of some may lie outside
  // their lifetimes.
  std::span<const std::uint32_t> persons() const { return persons_; }
  // Returns the players who are a person in some games or all, ascending; empty for an unknown
  // person.
  std::span<const std::uint32_t> spellings(std::uint32_t person) const;
  // Returns the shown games of a person, of one color (tags of GameLists) or both.
  GameList games(std::uint32_t person, std::optional<unsigned> tag = std::nullopt) const;
  // Returns the persons who have shown games, by the shards of their correct names.
  const NamedSet& set() const { return set_; }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // The known lifetime of a person: the first and the last date that their games can have.
  struct Lifetime {
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    // Returns whether a game may be of this person. A game of unknown year may be of any time.
    bool contains(std::uint32_t date) const {
      return date >> codec::kYearShift == 0 || (date >= first && date <= last);
    }
  };

  std::uint32_t players() const { return static_cast<std::uint32_t>(place_of_.size()); }
  // Returns the index of the person in persons().
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
  void list_games(const LoadedIndex& index);

  // The values of place_of_; kNobody: none.
  //
  //  bits   field      width  meaning
  //  31     namesakes      1  several people have exactly this name
  //  30..0  place         31  in persons_; of namesakes, their group in namesakes_
  static constexpr std::uint32_t kNamesakes = 1U << 31;

  std::shared_ptr<const Spelling> spelling_;
  std::vector<std::uint32_t> place_of_;                // by player
  std::vector<std::uint32_t> persons_;                 // ascending
  std::vector<Lifetime> lifetimes_;                    // by place
  std::vector<std::vector<std::uint32_t>> namesakes_;  // places
  std::vector<std::uint32_t> spellings_;               // players, by place
  std::vector<std::uint32_t> spelling_ends_;
  Postings games_;  // by place, tagged by color
  NamedSet set_;
};

}  // namespace scidfs::fs
