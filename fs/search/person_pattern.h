// Persons by a pattern.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/search/column_filter.h"
#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// The persons whose correct name matches, or any spelling of the database.
struct MatchedPersons {
  NameIds identities;      // numbers of People::identity_of()
  MatchedNames spellings;  // all of these persons
};

// Looks through all persons of the database, on the calling thread; they are none without a
// spelling file. Unavailable if that is too much; Cancelled.
absl::StatusOr<MatchedPersons> find_persons(const Database& database, const NamePattern& pattern,
                                            const WorkBudget& budget);

// Games of one of these persons, with this colour or any.
std::unique_ptr<ColumnFilter> filter_persons(const Database& database,
                                             const MatchedPersons& persons,
                                             std::optional<codec::Color> color);

}  // namespace scidfs::fs
