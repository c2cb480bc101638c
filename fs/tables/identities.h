// The players of a table: each spelling, or each person.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/scid/names.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Numbers for all players of a database: the ids of players, one more for all ids that the names
// lack and, where persons count as one player, the numbers of People::identity_of(). A value, cheap
// to copy; the database must outlive it.
class Identities {
 public:
  enum class Of : std::uint8_t { Spellings, Persons };

  // Without a spelling file, persons are spellings.
  Identities(const Database& database, Of of)
      : database_(&database),
        names_(&database.names()[codec::scid::NameKind::Player]),
        people_(of == Of::Persons ? database.people() : nullptr) {}

  std::uint32_t size() const {
    return people_ != nullptr ? people_->identities() : names_->size() + 1;
  }
  // Returns the number of a player in a game of that date (codec::pack_date()).
  std::uint32_t of(std::uint32_t player, std::uint32_t date) const {
    return people_ != nullptr ? people_->identity_of(player, date)
                              : std::min(player, names_->size());
  }
  // Returns the number in the spelling file; People::kNobody for a spelling.
  std::uint32_t person(std::uint32_t identity) const {
    return people_ != nullptr ? people_->person_at(identity) : People::kNobody;
  }
  // Returns the player's name, for a person the correct name. Valid as long as the database.
  std::string_view name(std::uint32_t identity) const {
    const std::uint32_t known = person(identity);
    return known == People::kNobody ? names_->text(identity)
                                    : people_->spelling().person(known).name;
  }
  // Appends the path of the player's games, "players/ca/Carlsen,M" or "people/ca/Carlsen,_Magnus";
  // nothing for a player without a shown game.
  void append_path(std::uint32_t identity, std::string& out) const;

 private:
  const Database* database_;
  const codec::scid::NameTable* names_;
  const People* people_;  // null: spellings
};

}  // namespace scidfs::fs
