// Which people the players of a database are, by the spelling file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/types.h"
#include "fs/database/database_options.h"
#include "fs/database/game_list.h"
#include "fs/database/loaded_index.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// One side of a game.
struct PlayerOfGame {
  std::uint32_t player = 0;  // the id of a name
  std::uint32_t date = 0;    // codec::pack_date()
  std::uint32_t elo = 0;     // 0: unknown; other ratings are no evidence
};

// Return a side of a game.
PlayerOfGame player_of(const codec::scid::GameEntry& entry, codec::Color color);
PlayerOfGame player_of(const PackedIndex& index, GameIndex game, codec::Color color);

// The people of a database. A game outside a person's lifetime is not theirs. Persons are numbers
// of the spelling file. Immutable; any number of threads may use it.
class People {
 public:
  static constexpr std::uint32_t kNobody = Spelling::kNobody;
  // Younger persons play no games.
  static constexpr unsigned kLeastAge = 6;
  // No game is of a person whose best rating is so much lower than the Elo in the game.
  static constexpr std::uint32_t kTooStrong = 400;

  // Looks up all names and goes through the index, on all processors where that pays.
  People(const LoadedIndex& index, const codec::scid::NameTable& players,
         std::shared_ptr<const Spelling> spelling, Evidence evidence);

  const Spelling& spelling() const { return *spelling_; }

  // Returns the person of a player in a game. Accepts any id.
  std::uint32_t person_of(const PlayerOfGame& in) const {
    const std::uint32_t place = place_of(in);
    return place == kNobody ? kNobody : persons_[place];
  }
  // Returns what speaks against all persons of exactly the player's name. REQUIRES: the player has
  // a person in some game, but none in this one.
  enum class Against : std::uint8_t { Namesakes, Lifetime, Age, Rating };
  Against against(const PlayerOfGame& in) const;
  // Returns one number for each player or person, the same for all spellings of a person. Players
  // whom the file does not know, or not certainly, have their own ids. All ids that the names lack
  // have the same number. Less than identities().
  std::uint32_t identity_of(const PlayerOfGame& in) const {
    const std::uint32_t place = place_of(in);
    return place == kNobody ? std::min(in.player, players()) : players() + 1 + place;
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
  // The known facts of a person that speak for or against a game.
  struct Facts {
    std::uint32_t first = 0;  // the first date that a game can have
    std::uint32_t last = 0;   // the last one
    std::uint32_t first_elo_too_high = std::numeric_limits<std::uint32_t>::max();

    // Returns nothing if a game may be of this person. A game of unknown year may be of any time.
    std::optional<Against> against(const PlayerOfGame& in) const {
      if (in.date >> codec::kYearShift != 0 && in.date < first) return Against::Age;
      if (in.date >> codec::kYearShift != 0 && in.date > last) return Against::Lifetime;
      if (in.elo >= first_elo_too_high) return Against::Rating;
      return std::nullopt;
    }
  };
  // The persons whom a name can mean, as places in persons_.
  struct Group {
    std::vector<std::uint32_t> exact;    // the persons of this name
    std::vector<std::uint32_t> fitting;  // the persons whom it fits if it is none of those
  };

  std::uint32_t players() const { return static_cast<std::uint32_t>(place_of_.size()); }
  // Returns the index of the person in persons().
  std::uint32_t place_of(const PlayerOfGame& in) const {
    if (in.player >= place_of_.size()) return kNobody;
    const std::uint32_t place = place_of_[in.player];
    if (place < facts_.size()) return facts_[place].against(in).has_value() ? kNobody : place;
    return place == kNobody ? kNobody : place_in(groups_[place - kGroups], in);
  }
  std::uint32_t place_in(const Group& group, const PlayerOfGame& in) const;
  // The places of persons whom nothing speaks against.
  struct Possible {
    std::size_t count = 0;
    std::uint32_t only = kNobody;  // if there is one
  };
  Possible possible(std::span<const std::uint32_t> places, const PlayerOfGame& in) const;
  std::optional<std::uint32_t> find(std::uint32_t person) const;
  using Found = Spelling::Found;
  std::vector<Found> look_up(const codec::scid::NameTable& players) const;
  void set_persons(std::vector<std::uint32_t> persons);
  Facts facts_of(std::uint32_t person) const;
  void group_players(std::span<const Found> found,
                     std::span<const std::vector<std::uint32_t>> fitting);
  std::vector<std::uint32_t> find_contradicted(const LoadedIndex& index) const;
  void list_spellings(const LoadedIndex& index, std::span<const Found> found);
  void list_games(const LoadedIndex& index);

  // The values of place_of_; kNobody: none.
  //
  //  bits   field   width  meaning
  //  31     group       1  several people may be meant
  //  30..0  place      31  in persons_; of several people, their group in groups_
  static constexpr std::uint32_t kGroups = 1U << 31;

  std::shared_ptr<const Spelling> spelling_;
  Evidence evidence_;
  std::vector<std::uint32_t> place_of_;  // by player
  std::vector<std::uint32_t> persons_;   // ascending
  std::vector<Facts> facts_;             // by place
  std::vector<Group> groups_;
  std::vector<std::uint32_t> spellings_;  // players, by place
  std::vector<std::uint32_t> spelling_ends_;
  Postings games_;  // by place, tagged by color
  NamedSet set_;
};

}  // namespace scidfs::fs
