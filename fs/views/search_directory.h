// search/ of a set: narrower sets of it, by names that users compose.
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
void list_search(const Version& version, Place set, std::uint64_t first, EmitChild emit);

// Whether that is a question which list_search() lists.
bool is_listed(const Question& question);

// A name in the search/ of a set. One with a `=` that is no facet is noted among the refusals.
std::optional<Child> find_in_search(const Version& version, Place set, std::string_view name);

// A further facet in the directory of the answer to a question.
std::optional<Child> find_in_answer(const Version& version, const Question& question,
                                    std::string_view name);

// README.txt: the grammar, with examples from this database.
std::string search_help(const Database& database);

}  // namespace scidfs::fs
