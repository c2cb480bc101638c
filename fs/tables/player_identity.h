// Which players of a database are one, as far as their names tell.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// By player id who that is, as far as no spelling file knows better: two ids with one number are
// one person.
using PlayerIdentities = std::span<const std::uint32_t>;
// Of a name that is none ("?", nothing): nobody can say who is meant. "NN" is a name like others.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Names are one that differ in nothing but case, accents, blanks and the signs . , - _ * ' , which
// say nothing in names: "Kasparov,G", "KASPAROV, G." Each has the lowest id of them. Errors:
// Unavailable if that wants more effort (fifty names count as the decoding of a game); Cancelled.
absl::StatusOr<std::vector<std::uint32_t>> identities_by_name(const codec::scid::NameTable& players,
                                                              const WorkBudget& budget);

}  // namespace scidfs::fs
