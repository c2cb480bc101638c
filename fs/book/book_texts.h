// Short texts about a book.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/kvetka/key.h"
#include "codec/position.h"
#include "fs/book/book.h"
#include "fs/book/book_moves.h"
#include "fs/book/book_sources.h"
#include "fs/book/book_survey.h"

namespace scidfs::fs {

// Returns info.txt: `key: value` lines. `sources` may be null; then `sources_problem` may say why.
std::string book_info_text(const Book& book, const BookSurvey& survey, const BookSources* sources,
                           std::string_view sources_problem);

// What a book says of a position.
struct BookPositionFacts {
  codec::Position position;
  BookComment comment;
  BookScore score;                // of the side to move
  std::uint64_t ends = 0;         // games that end here
  std::vector<BookMove> moves{};  // also those that the book does not list, the most played first
};

// Returns the facts of an element on a board that is turned in this way. NotFound if its key is no
// position; DataLoss if the book cannot be read.
absl::StatusOr<BookPositionFacts> book_position_facts(const Book& book,
                                                      const codec::kvetka::Element& element,
                                                      codec::kvetka::Turning turning);
// Returns fen/FEN.txt: counts, and a table of the moves.
std::string book_position_text(const BookPositionFacts& facts);

// Returns the position of a name such as "8-8-8-8-8-8-8-K1k5_w_-_-"; nothing if the name is
// invalid. And the name of a position.
std::optional<codec::Position> position_of_name(std::string_view name);
std::string name_of_position(const codec::Position& position);
// Returns the position that becomes `normalised` when it is turned in this way.
std::optional<codec::Position> turn_back(const codec::Position& normalised,
                                         codec::kvetka::Turning turning);

}  // namespace scidfs::fs
