// search/ and against/ of a set: narrower sets, by names that users compose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/search/query.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Open the search/ of a set: it lists a few facets and accepts any. A name with a `=` that is no
// facet is added to the rejected names.
absl::Status list_search(const Set& set, std::uint64_t first, const WorkBudget& budget,
                         EmitChild emit);
std::optional<Child> find_in_search(const Set& set, std::string_view name);
// Returns whether list_search() lists a query.
bool is_listed(const Query& query);

// Finds a further facet in the directory of a result.
std::optional<Child> find_in_answer(const Set& answer, std::string_view name);

// Finds `NAME.pgn` in the against/ of a set that has a subject: the subject's games against the
// players that `opponent=NAME` means. Accepts any name; opening the file shows whether there are
// games.
std::optional<Child> find_against(const Set& set, std::string_view name);
// Returns whether a query is of this kind.
bool is_against(const Query& query);

// Returns search/README.txt: the grammar, with examples from this database.
std::string search_help(const Database& database);

}  // namespace scidfs::fs
