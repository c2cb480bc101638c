// The data of a book about the moves of a position, and their texts.
// Source: codec/kvetka/FORMAT.md, sections 3.3, 5 and 8.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "fs/book/book.h"

namespace scidfs::fs {

// The results of games from the view of one side.
struct BookScore {
  std::uint64_t wins = 0, draws = 0, losses = 0;

  std::uint64_t games() const { return wins + draws + losses; }
  BookScore of_the_other_side() const { return {losses, draws, wins}; }
};
// Returns "54.3": the side's share of the points in percent; "-" without games.
std::string score_text(const BookScore& score);

// A comment of a book: an opening with its code and names, or free text.
struct BookComment {
  std::string eco{};        // "E98"
  std::string name{};       // "King's Indian Defence"
  std::string variation{};  // may be empty for an opening
  std::string text{};       // if it is no opening

  bool empty() const { return name.empty() && text.empty(); }
};
BookComment parse_book_comment(std::string text);
// Returns a comment on one line: "E98 King's Indian Defence, Classical".
std::string comment_text(const BookComment& comment);

// The place of a position in a book. place_of() returns nothing if the place does not fit.
//
//  bits   field         width
//  31..7  block number     25
//  6..0   index             7  of the element in the block
using BookPlace = std::uint32_t;
inline constexpr unsigned kBookPlaceSize = 32;
inline constexpr unsigned kBookPlaceBits = 7;
std::optional<BookPlace> place_of(std::uint64_t block, std::size_t index);

struct BookMove {
  codec::Move move;  // on the board as it is, not normalized
  std::string san{};
  bool is_listed = false;  // whether the book lists it; else it leads to a position of the book
  bool is_found = false;   // whether the book has the position after it
  // The rest describes the position after it.
  BookScore score{};  // from the view of the side that makes the move
  std::uint64_t block = 0;
  std::size_t index = 0;
  BookComment comment{};
  std::string codes{};
};

// Returns the moves of a position: by games, the most first; moves without games as they are
// listed. With `all`, also returns moves that are not listed but lead to a position of the book.
// DataLoss if the book cannot be read.
absl::StatusOr<std::vector<BookMove>> book_moves(const Book& book, const codec::Position& position,
                                                 std::string_view codes, bool all);

}  // namespace scidfs::fs
