// Searches for persons by a pattern, and for games of some persons.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/scid/names.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"
#include "fs/database/database.h"
#include "fs/database/people.h"
#include "fs/search/column_filter.h"
#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// Some persons of a part.
struct MatchedPersons {
  NameIds identities{};  // numbers of People::identity_of()
  // All spellings of these persons in the part.
  MatchedNames spellings = MatchedNames::of(std::nullopt);
};

// Returns the persons of whom is_meant(person) is true. Looks through all persons of the part on
// the calling thread. `names` are its players. Errors: Cancelled.
absl::StatusOr<MatchedPersons> collect_persons(
    const People& people, const codec::scid::NameTable& names,
    absl::FunctionRef<bool(std::uint32_t person)> is_meant, const WorkBudget& budget);

// Returns the persons of whom the correct name, or any spelling in any part, matches; without a
// spelling file there are none. Errors: Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<MatchedPersons> find_persons(const PlayersOfPart& players,
                                            const NamePattern& pattern, const WorkBudget& budget);

// Matches games of any of these persons, with `color` or, without one, with either color.
std::unique_ptr<ColumnFilter> filter_persons(const Database& database,
                                             const MatchedPersons& persons,
                                             std::optional<codec::Color> color);
// Matches games in which the names of all players are known, and none is one of these persons; with
// a color, only the player who has it counts. A known name that is no person's is another person.
// Without a spelling file no game matches.
std::unique_ptr<ColumnFilter> filter_other_persons(const Database& database,
                                                   const MatchedPersons& persons,
                                                   std::optional<codec::Color> color);

}  // namespace scidfs::fs
