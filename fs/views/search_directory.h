// search/ and against/ of a set: narrower sets of it, by names that users compose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/search/query.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// The search/ of a set: a few facets, and any that is named. One with a `=` that is no facet is
// noted among the refusals.
absl::Status list_search(const Set& set, std::uint64_t first, EmitChild emit);
std::optional<Child> find_in_search(const Set& set, std::string_view name);
// Whether that is a question which list_search() lists.
bool is_listed(const Query& query);

// A further facet in the directory of an answer.
std::optional<Child> find_in_answer(const Set& answer, std::string_view name);

// `NAME.pgn` in the against/ of a set that is about a player: his games against whom
// `opponent=NAME` means. Found for any name; whether there are games shows when it is opened.
std::optional<Child> find_against(const Set& set, std::string_view name);
// Whether a question was asked so.
bool is_against(const Query& query);

// search/README.txt: the grammar, with examples from this database.
std::string search_help(const Database& database);

}  // namespace scidfs::fs
