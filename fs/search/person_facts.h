// Conditions on what the spelling file says of the persons of players.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <string_view>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/reference/spelling_index.h"
#include "fs/search/condition.h"
#include "fs/search/facet_row.h"
#include "fs/search/person_pattern.h"

namespace scidfs::fs {

// Parse a title, a country. Return nothing for another text.
std::optional<ParsedValue> parse_title(std::string_view value);
std::optional<ParsedValue> parse_country(std::string_view value);

// Return whether a person meets a condition; nothing if the file does not say it. The titles of
// a person are known, also if there are none. REQUIRES: the facet of this name made the value.
std::optional<bool> meets_title(const Condition& condition, const SpellingIndex::Person& person);
std::optional<bool> meets_country(const Condition& condition, const SpellingIndex::Person& person);
std::optional<bool> meets_born(const Condition& condition, const SpellingIndex::Person& person);
std::optional<bool> meets_fide_id(const Condition& condition, const SpellingIndex::Person& person);

// Returns whether a person meets a facet of FacetStage::Facts; of a negated one, whether it is
// known that the person meets none of its conditions.
bool meets_facet(const Facet& facet, const SpellingIndex::Person& person);

// Returns the persons of a database who meet such a facet. None without a spelling file. Errors:
// Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<MatchedPersons> find_persons(const Database& database, const Facet& facet,
                                            const WorkBudget& budget);

}  // namespace scidfs::fs
