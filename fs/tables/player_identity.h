// Players who are the same person, judged by the spelling file and by their names.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"
#include "fs/database/people.h"
#include "fs/tables/identities.h"

namespace scidfs::fs {

// The identity for a missing name ("?", empty), which may be anyone's. "NN" is a name like others.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// The identities of the players of some databases, the parts: two with the same number are one
// person. A player whom the spelling file knows has the identity of that person, under any name.
// Other names are the same if they differ only in case, accents, blanks and the signs . , - _ * ' ,
// as "Kasparov,G" and "KASPAROV, G." do; the identity is the lowest common id of such names. Keeps
// the databases; takes four bytes for each common name.
class PlayerIdentities {
 public:
  // Errors: Unavailable if that exceeds the budget (fifty names count as the decoding of a game);
  // Cancelled.
  static absl::StatusOr<PlayerIdentities> find(CommonPlayersPtr players, const WorkBudget& budget);

  // The identities of one part. A view: the identities must outlive it.
  class OfPart {
   public:
    // Returns the identity of a player of a game.
    std::uint32_t of(const PlayerOfGame& in) const {
      const std::uint32_t own = persons_.of(in);
      if (own < by_name_.size()) return by_name_[own];
      return own == by_name_.size() ? kNobody : own;
    }

   private:
    friend class PlayerIdentities;
    OfPart(const PlayerIdentities& all, std::size_t part)
        : persons_(all.persons_.of_part(part)), by_name_(all.by_name_) {}

    Identities::OfPart persons_;
    std::span<const std::uint32_t> by_name_;
  };
  OfPart of_part(std::size_t part) const { return {*this, part}; }

 private:
  PlayerIdentities(Identities persons, std::vector<std::uint32_t> by_name)
      : persons_(std::move(persons)), by_name_(std::move(by_name)) {}

  Identities persons_;
  std::vector<std::uint32_t> by_name_;  // by common id
};

}  // namespace scidfs::fs
