// search/ and against/ of a set: narrower sets of it, by names that users compose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/sets/questions.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Lists the search/ of the set whose directory is `set`: README.txt and a few facets.
absl::Status list_search(const Version& version, Place set, std::uint64_t first, EmitChild emit);

// Whether that is a question which list_search() lists.
bool is_listed(const Question& question);

// A name in the search/ of a set. One with a `=` that is no facet is noted among the refusals.
std::optional<Child> find_in_search(const Version& version, Place set, std::string_view name);

// A further facet in the directory of the answer to a question.
std::optional<Child> find_in_answer(const Version& version, const Question& question,
                                    std::string_view name);

// `NAME.pgn` in the against/ of a set that is about a player: his games against whom
// `opponent=NAME` means. Found for any name; whether there are games shows when it is opened.
std::optional<Child> find_against(const Version& version, Place set, std::string_view name);
// Whether a question was asked so.
bool is_against(const Question& question);

// README.txt: the grammar, with examples from this database.
std::string search_help(const Database& database);

}  // namespace scidfs::fs
