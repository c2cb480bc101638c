// What one look at all of a book tells: how many positions are in its blocks, and what is wrong.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fs/book/book.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

struct BookSurvey {
  // By block: the number of positions before it; one more than there are blocks.
  std::vector<std::uint32_t> first{};
  std::uint64_t comments = 0;
  std::uint64_t moves = 0;
  std::uint64_t damages = 0;             // places where something is wrong
  std::vector<std::string> problems{};   // the first of them, a line each
  std::array<std::uint64_t, 6> links{};  // elements by LinkLayout

  std::uint64_t positions() const { return first.back(); }
};

// DataLoss if the book cannot be read. As all that takes an effort here: Unavailable if it is not
// whole, Cancelled when it is over.
absl::StatusOr<BookSurvey> survey_book(const Book& book, const WorkBudget& budget);

// positions.epd: one line for each position, in the order of the book; a section for each block.
absl::Status append_epd(const Book& book, std::size_t block, std::string& out);
// Writes all of it once to find out the sizes, on several threads.
absl::StatusOr<SectionEnds> measure_epd(const Book& book, const WorkBudget& budget);

}  // namespace scidfs::fs
