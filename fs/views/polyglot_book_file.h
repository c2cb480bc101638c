// book.bin of a set, and book/BOUNDS.bin.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string_view>

#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the Polyglot book of a set, within the bounds in its name. The book is kept as a cached
// result. Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_polyglot_book(const Set& set,
                                                            const WorkBudget& budget);
// Finds a name in book/ of a set: `plies=40,games=5.bin`.
std::optional<Child> find_polyglot_book(const Set& set, std::string_view name);

}  // namespace scidfs::fs
