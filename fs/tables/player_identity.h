// Players of a database that are the same person, judged by their names.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// The identity of each player, by id, without a spelling file: two ids with the same number are one
// person.
using PlayerIdentities = std::span<const std::uint32_t>;
// The identity for a missing name ("?", empty), which may be anyone's. "NN" is a name like others.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Returns the identities. Names are the same if they differ only in case, accents, blanks and the
// signs . , - _ * ' , as "Kasparov,G" and "KASPAROV, G." do. The identity is the lowest id of such
// names. Errors: Unavailable if that exceeds the budget (fifty names count as the decoding of a
// game); Cancelled.
absl::StatusOr<std::vector<std::uint32_t>> identities_by_name(const codec::scid::NameTable& players,
                                                              const WorkBudget& budget);

}  // namespace scidfs::fs
