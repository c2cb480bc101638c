// Short texts about a book.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "codec/kvetka/key.h"
#include "fs/book/book.h"
#include "fs/book/book_sources.h"
#include "fs/book/book_survey.h"

namespace scidfs::fs {

// Returns info.txt: `key: value` lines. `sources` may be null; then `sources_problem` may say why.
std::string book_info_text(const Book& book, const BookSurvey& survey, const BookSources* sources,
                           std::string_view sources_problem);

// Returns the position of an element on a board that is turned in this way: its counts, and a table
// of its moves, the most played first. DataLoss if the book cannot be read.
absl::StatusOr<std::string> book_page_text(const Book& book, const codec::kvetka::Element& element,
                                           codec::kvetka::Turning turning);

// Returns the position of a name such as "8-8-8-8-8-8-8-K1k5_w_-_-"; nothing if the name is
// invalid.
std::optional<codec::Position> position_of_page(std::string_view name);
// Returns the position that becomes `normalised` when it is turned in this way.
std::optional<codec::Position> turn_back(const codec::Position& normalised,
                                         codec::kvetka::Turning turning);

}  // namespace scidfs::fs
