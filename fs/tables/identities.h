// The players of a table: each spelling, or each person.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fs/database/common_players.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Numbers for all players of a set: the common ids of players (those of the database if there is
// one), one more for all ids that the names lack and, where persons count as one player, one for
// each person, ascending. A value, cheap to copy, that keeps the databases.
class Identities {
 public:
  enum class Of : std::uint8_t { Spellings, Persons };

  // Without a spelling file, persons are spellings.
  Identities(CommonPlayersPtr players, Of of)
      : players_(std::move(players)),
        people_(of == Of::Persons ? players_->people() : nullptr),
        first_person_(players_->names().size() + 1) {
    if (people_ != nullptr) persons_ = people_->persons();
  }
  // REQUIRES: a set of several parts has players().
  Identities(const GameSet& games, Of of) : Identities(games.players(), of) {}

  const CommonPlayers& players() const { return *players_; }
  // Returns null for spellings.
  const CommonPeople* people() const { return people_; }
  std::uint32_t size() const { return first_person_ + static_cast<std::uint32_t>(persons_.size()); }

  // The numbers of the players of one part. Views the identities; code that looks at all games gets
  // it once for many games.
  class OfPart {
   public:
    // Returns the number of a player of a game.
    std::uint32_t of(const PlayerOfGame& in) const {
      const std::uint32_t own =
          people_ != nullptr ? people_->identity_of(in) : std::min(in.player, names_);
      if (ids_.empty()) return own;
      return own <= names_ ? ids_[own] : first_person_ + places_[own - names_ - 1];
    }

   private:
    friend class Identities;
    OfPart(const Identities& all, std::size_t part)
        : people_(all.people_ != nullptr ? &all.people_->part(part) : nullptr),
          names_(all.players_->names().part(part).size()),
          ids_(all.players_->names().ids(part)),
          first_person_(all.first_person_) {
      if (people_ != nullptr) places_ = all.people_->places(part);
    }

    const People* people_;  // null: spellings
    std::uint32_t names_;
    std::span<const std::uint32_t> ids_;  // empty: the part is the only one
    std::uint32_t first_person_;
    std::span<const std::uint32_t> places_;
  };
  OfPart of_part(std::size_t part) const { return {*this, part}; }

  // Returns the number in the spelling file; People::kNobody for a spelling.
  std::uint32_t person(std::uint32_t identity) const {
    return identity < first_person_ ? People::kNobody : persons_[identity - first_person_];
  }
  // Returns the player's name, for a person the correct name. Valid as long as the databases.
  std::string_view name(std::uint32_t identity) const {
    const std::uint32_t known = person(identity);
    return known == People::kNobody ? players_->names().text(identity)
                                    : people_->spelling().person(known).name;
  }
  // Appends the path of the player's games, "players/ca/Carlsen,M" or "people/ca/Carlsen,_Magnus";
  // nothing for a player without a shown game.
  void append_path(std::uint32_t identity, std::string& out) const;

 private:
  CommonPlayersPtr players_;
  const CommonPeople* people_;  // null: spellings
  std::uint32_t first_person_;
  std::span<const std::uint32_t> persons_;
};

}  // namespace scidfs::fs
